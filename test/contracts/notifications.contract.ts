import { afterEach, expect, it } from 'vitest';
import type { Notifications } from '../../src/storage/index.js';

/** Creates processes that notify each other, and cuts their connections. */
export interface NotificationsHarness {
  /** Connects one more process, which can send and receive notifications. */
  open(): Promise<Notifications>;
  /** Cuts the connections of all processes, so that notifications in transit are lost. */
  cut(): Promise<void>;
}

const TOPIC = 'workflow_contract';

/**
 * Tests that every implementation of `Notifications` (`src/storage/notifications/notifications.ts`) must pass. A
 * notification may be lost, merged with another, repeated or late. So each test waits for at least one notification
 * instead of an exact number.
 */
export function notificationsContract(harness: () => NotificationsHarness): void {
  const opened: Notifications[] = [];

  afterEach(async () => {
    for (const notifications of opened.splice(0)) await notifications.close();
  });

  /** Opens a process that listens to a topic and counts the notifications. */
  async function listening(topic = TOPIC): Promise<{ readonly own: Notifications; count: number }> {
    const own = await harness().open();
    opened.push(own);
    const process = { own, count: 0 };
    await own.listen(topic, () => void (process.count += 1));
    return process;
  }

  it('a notification reaches every other process that listens to its topic', async () => {
    const [sender, one, another] = [await listening(), await listening(), await listening()];
    await sender.own.notify(TOPIC);
    await expect.poll(() => [one.count, another.count].every((count) => count > 0)).toBe(true);
  });

  it('a notification reaches neither its sender nor listeners of another topic', async () => {
    const [sender, other, same] = [await listening(), await listening('workflow_other'), await listening()];
    await sender.own.notify(TOPIC);
    await expect.poll(() => same.count).toBeGreaterThan(0);
    expect([sender.count, other.count]).toEqual([0, 0]);
  });

  it('after `unlisten`, no notification reaches the listener, not even after a reconnection', async () => {
    const [sender, former, same] = [await listening(), await listening(), await listening()];
    await former.own.unlisten(TOPIC);
    await sender.own.notify(TOPIC);
    await expect.poll(() => same.count).toBeGreaterThan(0);
    await harness().cut();
    const before = same.count;
    await expect.poll(() => same.count).toBeGreaterThan(before);
    expect(former.count).toBe(0);
  });

  it('a process that listens to a topic again receives its notifications', async () => {
    const [sender, receiver] = [await listening(), await listening()];
    await receiver.own.unlisten(TOPIC);
    let count = 0;
    await receiver.own.listen(TOPIC, () => void (count += 1));
    await sender.own.notify(TOPIC);
    await expect.poll(() => count).toBeGreaterThan(0);
  });

  it('500 consecutive calls of `notify` cause fewer than 500 notifications, and a notification follows the last call', async () => {
    const [sender, receiver] = [await listening(), await listening()];
    for (let time = 0; time < 500; time += 1) await sender.own.notify(TOPIC);
    const before = receiver.count;
    await sender.own.notify(TOPIC);
    await expect.poll(() => receiver.count).toBeGreaterThan(before);
    expect(receiver.count).toBeLessThan(500);
  });

  it('a listener is called when its lost connection is restored, because notifications may be lost during the outage', async () => {
    const [sender, receiver] = [await listening(), await listening()];
    await harness().cut();
    await sender.own.notify(TOPIC);
    await expect.poll(() => receiver.count).toBeGreaterThan(0);
  });

  it('the method `notify` resolves even while the connection is lost', async () => {
    const sender = await listening();
    await harness().cut();
    await expect(sender.own.notify(TOPIC)).resolves.toBeUndefined();
  });
}
