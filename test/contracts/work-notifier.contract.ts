import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { WorkNotifier } from '../../src/execution-runner/dispatch/work-notifier.ts';
import { until } from '../support/until.js';

/** Replaces the dispatcher of a process, and counts the work notifications that the process receives. */
export class CountingListener {
  notified = 0;
  hasFreeSlot = true;
}

/** The work notifiers of three processes: a sender and two processes that listen. */
export interface WorkNotifierHarness {
  readonly sender: WorkNotifier;
  readonly processes: readonly [ListeningProcess, ListeningProcess];
}

export interface ListeningProcess {
  readonly signal: WorkNotifier;
  readonly listener: CountingListener;
}

/** Tests that every implementation of `WorkNotifier` (`src/execution-runner/dispatch/work-notifier.ts`) must pass. */
export function workNotifierContract(open: () => Promise<WorkNotifierHarness>): void {
  it('each of several consecutive work notifications reaches at least one other process', async () => {
    const { sender, processes } = await open();
    for (let time = 0; time < 5; time += 1) {
      const before = notified(processes);
      sender.notify();
      await until('another notification', () => notified(processes) > before);
    }
  });

  it('1,000 work notifications in a row are coalesced into at most four deliveries to two processes in total', async () => {
    const { sender, processes } = await open();
    for (let time = 0; time < 1_000; time += 1) sender.notify();
    await until('a notification', () => notified(processes) > 0);
    await pause(100);
    expect(notified(processes)).toBeLessThanOrEqual(2 * processes.length);
  });

  it('a process that closes its work notifier first notifies another process, and then receives no further notifications', async () => {
    const { processes } = await open();
    const [leaving, { listener: staying }] = processes;
    const before = staying.notified;
    await leaving.signal.close();
    await until('a notification of the remaining process', () => staying.notified > before);
    const last = leaving.listener.notified;
    processes[1].signal.notify();
    await pause(50);
    expect(leaving.listener.notified).toBe(last);
  });
}

export function notified(processes: readonly ListeningProcess[]): number {
  return processes.reduce((sum, { listener }) => sum + listener.notified, 0);
}
