import { expect, it } from 'vitest';
import { newId } from '../../src/platform/index.js';
import type { Execution } from '../../src/execution-store/execution.js';
import type { Dispatcher } from '../../src/execution-runner/dispatch/dispatcher.js';

/** A started dispatcher whose database has no executions yet. */
export interface DispatcherHarness {
  readonly dispatcher: Dispatcher;
  readonly room: number;
  /** Stores a runnable execution without waking the dispatcher. */
  insert(wanted?: {
    readonly priority?: number;
    readonly runnableAt?: string;
    readonly projectId?: string;
  }): Promise<Execution>;
  /** Ids of running executions, in the order of their starts. */
  readonly running: readonly string[];
  /** Ids of all executions that have started, in the order of their starts. */
  readonly begun: readonly string[];
  end(id: string): void;
  /** Resolves when the condition is true. Rejects after some seconds if the condition is still false. */
  until(condition: () => boolean): Promise<void>;
  /** Waits some milliseconds, in which a faulty dispatcher would start too many executions. */
  settle(): Promise<void>;
}

/** Tests that every implementation of `Dispatcher` (`src/execution-runner/dispatch/dispatcher.ts`) must pass. */
export function dispatcherContract(open: () => Promise<DispatcherHarness>): void {
  it('the dispatcher starts a runnable execution when `wake` is called', async () => {
    const { dispatcher, insert, until, begun } = await open();
    const { id } = await insert();
    dispatcher.wake();
    await until(() => begun.includes(id));
  });

  it('the dispatcher never runs more executions than it has slots, and starts the rest as slots become free', async () => {
    const { dispatcher, insert, until, settle, running, begun, end, room } = await open();
    const ids: string[] = [];
    for (let n = 0; n < room * 3; n += 1) ids.push((await insert({ priority: n % 10 })).id);
    dispatcher.wake();
    while (begun.length < ids.length) {
      await until(() => running.length === Math.min(room, ids.length - begun.length + running.length));
      await settle();
      expect(running.length).toBeLessThanOrEqual(room);
      const [first] = running;
      if (first !== undefined) end(first);
      const before = begun.length;
      await until(() => begun.length > before || begun.length === ids.length);
    }
    expect(begun.toSorted()).toEqual(ids.toSorted());
  });

  it('the dispatcher starts queued executions in the order of their priority', async () => {
    const { dispatcher, insert, until, begun, running, end, room } = await open();
    const blockers: string[] = [];
    for (let n = 0; n < room; n += 1) blockers.push((await insert()).id);
    dispatcher.wake();
    await until(() => running.length === room);
    const low = await insert({ priority: 0 });
    const high = await insert({ priority: 9 });
    const middle = await insert({ priority: 5 });
    dispatcher.wake();
    for (const expected of [high, middle, low]) {
      const [first] = running;
      if (first !== undefined) end(first);
      await until(() => begun.at(-1) === expected.id);
    }
  });

  it('the dispatcher alternates between projects, regardless of their backlogs and priorities', async () => {
    const { dispatcher, insert, until, begun, running, end, room } = await open();
    const [crowd, few] = [newId(), newId()];
    for (let n = 0; n < 30; n += 1) await insert({ projectId: crowd, priority: 9 });
    dispatcher.wake();
    await until(() => running.length === room);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await insert({ projectId: few })).id);
    dispatcher.wake();
    for (let count = room + 1; count <= room + 7; count += 1) {
      end(running[0] ?? '');
      await until(() => begun.length === count);
    }
    expect(begun).toEqual(expect.arrayContaining(ids));
  });

  it('the dispatcher wakes at the earlier of two wake-up times, even if the later one was set first', async () => {
    const { dispatcher, insert, until, begun } = await open();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const soon = new Date(Date.now() + 150).toISOString();
    await insert({ runnableAt: later });
    dispatcher.wake(Date.parse(later));
    const { id } = await insert({ runnableAt: soon });
    dispatcher.wake(Date.parse(soon));
    await until(() => begun.length > 0);
    expect(begun).toEqual([id]);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
  });

  it('the dispatcher does not start an execution before its due time, even if the delay exceeds the maximum of a Node.js timer', async () => {
    const { dispatcher, insert, settle, begun } = await open();
    const far = new Date(Date.now() + 400 * 86_400_000).toISOString();
    await insert({ runnableAt: far });
    dispatcher.wake(Date.parse(far));
    await settle();
    expect(begun).toEqual([]);
  });

  it('the dispatcher reserves no slot for a new start while queued executions wait, and ignores a second release of the same slot', async () => {
    const { dispatcher, insert, until, settle, running, end, room } = await open();
    await settle();
    const slots = Array.from({ length: room }, () => dispatcher.reserve());
    expect(slots).not.toContain(null);
    expect(dispatcher.reserve()).toBeNull();
    slots[0]?.free();
    slots[0]?.free();
    const again = dispatcher.reserve();
    expect(again).not.toBeNull();
    expect(dispatcher.reserve()).toBeNull();
    for (const slot of [...slots, again]) slot?.free();
    const waiting: string[] = [];
    for (let n = 0; n < room + 1; n += 1) waiting.push((await insert()).id);
    dispatcher.wake();
    expect(dispatcher.reserve()).toBeNull();
    await until(() => running.length === room);
    const [first] = running;
    if (first !== undefined) end(first);
    expect(dispatcher.reserve()).toBeNull();
    await until(() => waiting.every((id) => id === first || running.includes(id)));
  });
}
