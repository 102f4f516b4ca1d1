import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newExecution } from '../../../test/support/execution-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Execution } from '../../execution-store/index.js';
import type { NextRun } from '../run-loop/run-loop.js';
import { InProcessDispatcher } from './in-process.dispatcher.js';
import { WorkNotifier } from './work-notifier.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

class CountedSignal extends WorkNotifier {
  /**
   * The listener that the dispatcher registered. A call simulates that another process reports a runnable execution.
   */
  bring: () => boolean = () => true;
  /** Number of notifications that the dispatcher sent to other processes. */
  sent = 0;
  isClosed = false;

  override notify(): void {
    this.sent += 1;
  }

  override async onWork(listener: () => boolean): Promise<void> {
    this.bring = listener;
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** Fakes of the database and of the run loop. The test decides when each run ends. */
class World {
  readonly clock = new ManualClock(START);
  readonly signal = new CountedSignal();
  /** Runnable executions, in the order in which claims return them. */
  readonly runnable: Execution[] = [];
  /** Epoch milliseconds at which the next execution becomes runnable; null if no execution is scheduled. */
  nextAt: number | null = null;
  /** The `limit` argument of each claim, in order. */
  readonly claims: number[] = [];
  /** Error with which the next claim fails; null lets the claim succeed. */
  failure: Error | null = null;
  /** True if a claim stays pending until the test calls `answerClaim`. */
  holdsClaims = false;
  readonly running = new Map<string, (next: NextRun) => void>();
  readonly memory = {
    isFull: false,
    room: (): void => undefined,
    onRoom: (listener: () => void): void => void (this.memory.room = listener),
  };
  private answer: () => void = () => undefined;

  dispatcher(slots: number): InProcessDispatcher {
    return new InProcessDispatcher(
      { claim: (_owner, _now, limit) => this.claim(limit), nextRunnableAt: async () => this.next() },
      {
        run: ({ id }) => this.run(id),
      },
      { id: 'this-process' },
      this.signal,
      { RUN_CONCURRENCY: slots },
      this.clock,
      this.memory,
    );
  }

  /** Adds runnable executions to the database without notifying the dispatcher. */
  add(count: number): readonly string[] {
    const added = Array.from({ length: count }, () => newExecution({}));
    this.runnable.push(...added);
    return added.map(({ id }) => id);
  }

  end(id: string | undefined, next: NextRun = { wakeAt: null }): void {
    if (id === undefined) throw new Error('The test ends an execution that is not there.');
    this.running.get(id)?.(next);
    this.running.delete(id);
  }

  answerClaim(): void {
    this.answer();
  }

  private async claim(
    limit: number,
  ): Promise<{ readonly executions: readonly Execution[]; readonly nextAt: string | null }> {
    this.claims.push(limit);
    if (this.holdsClaims) await new Promise<void>((resolve) => (this.answer = resolve));
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure;
    return { executions: this.runnable.splice(0, limit), nextAt: this.next() };
  }

  private next(): string | null {
    return this.nextAt === null ? null : new Date(this.nextAt).toISOString();
  }

  /** Runs an execution until the test ends it. */
  run(id: string): Promise<NextRun> {
    return new Promise((resolve) => this.running.set(id, resolve));
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('InProcessDispatcher claiming', () => {
  it('the dispatcher claims nothing before it is started', async () => {
    world.add(1);
    const dispatcher = world.dispatcher(2);
    dispatcher.wake();
    await endOfTurn();
    expect([world.claims, world.signal.sent]).toEqual([[], 1]);
    await dispatcher.start();
    await endOfTurn();
    expect(world.running.size).toBe(1);
  });

  it('the dispatcher claims as many executions as it has free slots, and more when slots become free', async () => {
    const ids = world.add(3);
    await world.dispatcher(2).start();
    await endOfTurn();
    expect([...world.running.keys()]).toEqual(ids.slice(0, 2));
    world.end(ids[0]);
    await endOfTurn();
    expect([...world.running.keys()]).toEqual(ids.slice(1));
  });

  it('the dispatcher claims at most 64 executions at a time, and repeats the claim until no runnable execution is left', async () => {
    world.add(100);
    await world.dispatcher(1_000).start();
    await endOfTurn();
    expect(world.running.size).toBe(100);
    expect(world.claims.every((limit) => limit === 64)).toBe(true);
  });

  it('the dispatcher notifies other processes when its last claim filled all its slots', async () => {
    world.add(2);
    await world.dispatcher(1).start();
    await endOfTurn();
    expect([world.running.size, world.signal.sent]).toEqual([1, 1]);
  });

  it('the dispatcher notifies no process when its last claim found fewer executions than requested', async () => {
    world.add(1);
    await world.dispatcher(2).start();
    await endOfTurn();
    expect(world.signal.sent).toBe(0);
  });

  it('the dispatcher claims nothing while memory is full, and resumes when memory is free', async () => {
    world.memory.isFull = true;
    world.add(1);
    await world.dispatcher(2).start();
    await endOfTurn();
    expect(world.claims).toEqual([]);
    world.memory.isFull = false;
    world.memory.room();
    await endOfTurn();
    expect(world.running.size).toBe(1);
  });

  it('the dispatcher reports that it is not alive when a claim has been pending for 40 seconds', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      world.holdsClaims = true;
      const dispatcher = world.dispatcher(1);
      await dispatcher.start();
      await endOfTurn();
      now.mockReturnValue(39_999);
      expect(dispatcher.isAlive).toBe(true);
      now.mockReturnValue(40_001);
      expect(dispatcher.isAlive).toBe(false);
      world.answerClaim();
      await endOfTurn();
      expect(dispatcher.isAlive).toBe(true);
    } finally {
      now.mockRestore();
    }
  });
});

describe('InProcessDispatcher sleeping', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function pass(ms: number): Promise<void> {
    world.clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await endOfTurn();
  }

  it('the dispatcher claims again at the next runnable time that the last claim returned', async () => {
    world.nextAt = START + 10 * SECOND;
    await world.dispatcher(1).start();
    await endOfTurn();
    expect(world.claims).toHaveLength(1);
    world.add(1);
    world.nextAt = null;
    await pass(9 * SECOND);
    expect(world.running.size).toBe(0);
    await pass(SECOND);
    expect(world.running.size).toBe(1);
  });

  it('the dispatcher claims at the earliest of several wake-up times', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    dispatcher.wake(START + 20 * SECOND);
    dispatcher.wake(START + 5 * SECOND);
    dispatcher.wake(START + 40 * SECOND);
    world.add(1);
    await pass(5 * SECOND);
    expect(world.running.size).toBe(1);
  });

  it('the dispatcher claims nothing before a distant wake-up time, even if the timer of the dispatcher fires earlier', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    dispatcher.wake(START + HOUR);
    for (let minute = 0; minute < 59; minute += 1) await pass(60 * SECOND);
    expect(world.claims).toHaveLength(1);
    await pass(60 * SECOND);
    expect(world.claims).toHaveLength(2);
  });

  it('the dispatcher claims again when a suspended execution becomes runnable', async () => {
    const [id] = world.add(1);
    await world.dispatcher(1).start();
    await endOfTurn();
    world.end(id, { wakeAt: START + 3 * SECOND });
    await endOfTurn();
    const before = world.claims.length;
    world.add(1);
    await pass(3 * SECOND);
    expect(world.claims.length).toBe(before + 1);
    expect(world.running.size).toBe(1);
  });

  it('the dispatcher claims again one second after a claim failed', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      world.failure = new Error('The database is away.');
      world.add(1);
      await world.dispatcher(1).start();
      await endOfTurn();
      expect([world.claims.length, logged.mock.calls.length]).toEqual([1, 1]);
      await pass(999);
      expect(world.running.size).toBe(0);
      await pass(1);
      expect(world.running.size).toBe(1);
    } finally {
      logged.mockRestore();
    }
  });

  it('if a poll finds an execution that is not runnable yet, the dispatcher claims when the execution becomes runnable', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    world.nextAt = START + SECOND;
    await dispatcher.poll();
    world.nextAt = null;
    world.add(1);
    await pass(SECOND);
    expect(world.running.size).toBe(1);
  });

  it('the dispatcher claims nothing after it is stopped', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    dispatcher.wake(START + SECOND);
    await dispatcher.stop();
    world.add(1);
    await pass(2 * SECOND);
    expect([world.running.size, world.claims.length]).toEqual([0, 1]);
    dispatcher.wake();
    expect(world.signal.sent).toBe(1);
    await dispatcher.close();
    expect(world.signal.isClosed).toBe(true);
  });
});

describe('InProcessDispatcher.reserve', () => {
  it('the dispatcher reserves no slot for a new execution while a claim may find older executions', async () => {
    world.holdsClaims = true;
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    dispatcher.wake();
    expect(dispatcher.reserve()).toBeNull();
    world.holdsClaims = false;
    world.answerClaim();
    await endOfTurn();
    expect(dispatcher.reserve()).toMatchObject({ owner: 'this-process' });
  });

  it('the dispatcher refuses to reserve a slot while all slots are in use, and grants a slot after one was freed', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    const slot = dispatcher.reserve();
    expect(dispatcher.reserve()).toBeNull();
    slot?.free();
    slot?.free();
    const again = dispatcher.reserve();
    expect(again).not.toBeNull();
    expect(dispatcher.reserve()).toBeNull();
  });

  it('a reserved slot of the dispatcher is in use until its execution ends', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    const execution = newExecution({});
    dispatcher.reserve()?.occupy(world.run(execution.id));
    expect(dispatcher.reserve()).toBeNull();
    world.end(execution.id);
    await endOfTurn();
    expect(dispatcher.reserve()).not.toBeNull();
  });

  it('the shutdown of the dispatcher waits until a reserved slot is used or freed', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    const slot = dispatcher.reserve();
    let hasStopped = false;
    const stopped = dispatcher.stop().then(() => (hasStopped = true));
    await endOfTurn();
    expect(hasStopped).toBe(false);
    slot?.free();
    await stopped;
    expect(dispatcher.reserve()).toBeNull();
  });
});

describe('InProcessDispatcher notifications', () => {
  it('the dispatcher claims when another process notifies it, but not while every slot is in use', async () => {
    const dispatcher = world.dispatcher(1);
    await dispatcher.start();
    await endOfTurn();
    const [id] = world.add(2);
    expect(world.signal.bring()).toBe(true);
    await endOfTurn();
    expect([...world.running.keys()]).toEqual([id]);
    const claims = world.claims.length;
    expect(world.signal.bring()).toBe(false);
    await endOfTurn();
    expect(world.claims).toHaveLength(claims);
  });
});
