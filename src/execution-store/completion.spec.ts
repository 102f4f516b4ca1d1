import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { completed, newExecution, nodeComplete, started } from '../../test/support/execution-store.js';
import type { ReadEvent } from '../execution-events/index.js';
import { EventBus } from '../journal/index.js';
import { Completion, type CompletionWatch } from './completion.js';
import { type Execution, scopeOf } from './execution.js';

const MINUTE = 60_000;
const LIVE = new AbortController().signal;

class World {
  readonly bus = new EventBus();
  readonly execution = newExecution({});
  /** The execution's row in the simulated database. Undefined if retention has deleted the row. */
  row: Execution | undefined = { ...this.execution, metadata: { from: 'row' } };
  reads = 0;

  readonly completion = new Completion(this.bus, {
    findWhole: async () => {
      this.reads += 1;
      return this.row;
    },
  });

  publish(firstSequence: number, ...events: readonly ReadEvent[]): void {
    this.bus.publish({ ...scopeOf(this.execution), id: '', position: 1, firstSequence, events });
  }

  watch(): CompletionWatch {
    return this.completion.watch(this.execution);
  }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await endOfTurn();
  return settled;
}

let world: World;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  world = new World();
});
afterEach(() => vi.useRealTimers());

describe('waits for the end of an execution', () => {
  it('a wait for an execution returns the state computed from its events, without a database read', async () => {
    const ended = world.watch().ended(MINUTE, LIVE);
    world.publish(2, started(), nodeComplete('a', 1));
    expect(await isSettled(ended)).toBe(false);
    world.publish(4, completed({ total: 3 }));
    expect(await ended).toMatchObject({
      metadata: {},
      progress: { status: 'completed', output: { total: 3 }, nodesCompleted: 1, lastSequence: 4 },
    });
    expect(world.reads).toBe(0);
  });

  it('a wait for an execution ends immediately if the execution ended between `watch()` and `ended()`', async () => {
    const watch = world.watch();
    world.publish(2, started(), completed('done'));
    expect((await watch.ended(MINUTE, LIVE)).progress.output).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a wait for an execution ignores the events of other executions', async () => {
    const ended = world.watch().ended(MINUTE, LIVE);
    const other = newExecution({});
    world.bus.publish({
      ...scopeOf(other),
      id: '',
      position: 1,
      firstSequence: 2,
      events: [completed('other')],
    });
    expect(await isSettled(ended)).toBe(false);
  });

  it('a wait for an execution returns the database row when the time limit of the wait is reached', async () => {
    const ended = world.watch().ended(MINUTE, LIVE);
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(await isSettled(ended)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe(world.row);
  });

  it('a wait for an execution returns the last known state if the database row was deleted', async () => {
    world.row = undefined;
    const ended = world.watch().ended(MINUTE, LIVE);
    world.publish(2, started());
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect((await ended).progress).toMatchObject({ status: 'running', lastSequence: 2 });
  });

  it.each<[string, (controller: AbortController) => void, (controller: AbortController) => void]>([
    ['during the wait', () => undefined, (controller) => controller.abort()],
    ['before the wait', (controller) => controller.abort(), () => undefined],
  ])(
    'a wait for an execution returns the database row when the caller disconnects %s',
    async (_, before, during) => {
      const controller = new AbortController();
      before(controller);
      const ended = world.watch().ended(MINUTE, controller.signal);
      during(controller);
      expect(await ended).toBe(world.row);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('a wait for an execution ignores events after `stop()` was called', async () => {
    const watch = world.watch();
    const ended = watch.ended(MINUTE, LIVE);
    watch.stop();
    world.publish(2, started(), completed(null));
    expect(await isSettled(ended)).toBe(false);
  });
});

describe('waiting for an execution during shutdown', () => {
  it('at shutdown, every wait for an execution ends and returns the database row', async () => {
    const waits = [world.watch().ended(MINUTE, LIVE), world.watch().reached(() => false, MINUTE)];
    world.completion.onModuleDestroy();
    expect(await Promise.all(waits)).toEqual([world.row, world.row]);
  });

  it('`ended` returns the execution row without waiting when called after the shutdown', async () => {
    world.completion.onModuleDestroy();
    expect(await world.watch().ended(MINUTE, LIVE)).toBe(world.row);
  });
});

describe('waits with incomplete or repeated events', () => {
  const end = completed('from the event');
  const unknown: ReadEvent = {
    type: 'workflow.node.teleported',
    version: 1,
    at: 0,
    nodeId: 'a',
    attempt: 1,
    data: {},
  };
  const truncated: ReadEvent = {
    ...end,
    data: { ...end.data, output: null, output_truncated: true },
  } as ReadEvent;

  it.each<[string, number, readonly ReadEvent[]]>([
    ['a batch is missing before the end', 3, [end]],
    ['an event has a type of a newer version', 2, [unknown, end]],
    ['the output is truncated', 2, [truncated]],
  ])('a wait for an execution reads the database row when %s', async (_, firstSequence, events) => {
    const ended = world.watch().ended(MINUTE, LIVE);
    world.publish(firstSequence, ...events);
    expect(await ended).toBe(world.row);
  });

  it('a wait for an execution ignores events that a later batch repeats', async () => {
    const ended = world.watch().ended(MINUTE, LIVE);
    world.publish(2, started(), nodeComplete('a', 1));
    world.publish(2, started(), nodeComplete('a', 1), completed('done'));
    expect((await ended).progress).toMatchObject({ status: 'completed', lastSequence: 4 });
    expect(world.reads).toBe(0);
  });

  it('a wait for an execution ignores a batch of events that are older than the state at the start of the wait', async () => {
    const read = { ...world.execution, progress: { ...world.execution.progress, lastSequence: 5 } };
    const ended = world.completion.watch(read).ended(MINUTE, LIVE);
    world.publish(2, started(), completed('too early'));
    expect(await isSettled(ended)).toBe(false);
  });
});

describe('waits for a condition of an execution', () => {
  const isRunning = ({ progress }: Execution): boolean => progress.status === 'running';

  it('a wait for a condition of an execution returns the database row of the execution when the condition becomes true', async () => {
    const reached = world.watch().reached(isRunning, MINUTE);
    world.publish(2, started());
    expect(await reached).toBe(world.row);
  });

  it('a wait for a condition of an execution ends when the execution ends, even if the condition was never true', async () => {
    const reached = world.watch().reached(() => false, MINUTE);
    world.publish(2, started(), completed(1));
    expect((await reached).progress.output).toBe(1);
  });

  it('a wait for a condition of an execution ends immediately if the condition already holds', async () => {
    await world.watch().reached(() => true, MINUTE);
    expect(vi.getTimerCount()).toBe(0);
  });
});
