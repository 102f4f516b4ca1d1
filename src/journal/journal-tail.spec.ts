import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../platform/index.js';
import { POSITIONS_TOPIC, READERS_TOPIC } from '../storage/index.js';
import type { Batch } from './batch.js';
import { EventBus, type ProjectSubscription } from './event-bus.js';
import { JournalTail } from './journal-tail.js';

const SECOND = 1_000;

function batchAt(position: number, projectId: string = newId()): Batch {
  return {
    id: newId(),
    position,
    firstSequence: 1,
    events: [],
    executionId: newId(),
    projectId,
    workflowId: newId(),
    sessionId: null,
  };
}

/** A simulated journal to which several processes write, and the event bus of one process. */
class World {
  readonly journal = new Map<number, Batch>();
  readonly published: number[] = [];
  readonly bus = new EventBus();
  reads = 0;
  /** The project ids of each read of the journal; null for a read of all projects. */
  readonly selections: (readonly string[] | null)[] = [];
  failure: Error | null = null;
  /** Each read of the journal waits until this promise resolves. */
  gate: Promise<void> = Promise.resolve();
  pageSize = Infinity;
  /** The lowest journal position that a transaction in progress may still write. */
  horizon = Infinity;
  /** Number of notifications about commits that the `JournalTail` under test has sent. */
  notified = 0;
  /** Number of announcements of readers that the `JournalTail` under test has sent. */
  announced = 0;
  private readonly listeners = new Map<string, () => void>();
  stopReading: () => void = () => undefined;

  tail(dialect: 'sqlite' | 'postgres' = 'postgres', role: 'all' | 'api' | 'worker' = 'all'): JournalTail {
    this.stopReading = this.bus.subscribe(({ position }) => this.published.push(position));
    return new JournalTail(
      {
        bounds: async () => ({ floor: 0, oldest: 0, newest: this.newest }),
        after: async (position, limit, own, selected) => {
          const projectIds = selected ?? null;
          this.reads += 1;
          this.selections.push(projectIds);
          const settled = [...this.journal.values()]
            .filter((batch) => batch.position < this.horizon)
            .sort((a, b) => a.position - b.position);
          const found = settled
            .filter((batch) => batch.position > position)
            .filter(({ projectId }) => projectIds === null || projectIds.includes(projectId));
          const { newest } = this;
          await this.gate;
          const { failure } = this;
          this.failure = null;
          if (failure !== null) throw failure;
          const batches = found.slice(0, Math.min(limit, this.pageSize));
          return {
            batches: batches.map((batch) => own.get(batch.position) ?? batch),
            hasMore: batches.length < found.length,
            newest,
            settled: settled.at(-1)?.position ?? 0,
          };
        },
        settled: async () => Math.min(this.newest, this.horizon - 1),
        awaited: async (executions) =>
          [...this.journal.values()].filter((batch) =>
            executions.some(
              ({ executionId, after }) => executionId === batch.executionId && batch.firstSequence > after,
            ),
          ),
        blocking: async () => ({
          ...{ pid: 4711, preparedTransaction: null, ageMs: 61_000, queryStart: null },
          applicationName: 'report',
        }),
        renewOrder: async () => false,
        advanceHorizon: async () => undefined,
      },
      this.bus,
      {
        listen: async (topic, onNotice) => void this.listeners.set(topic, onNotice),
        unlisten: async (topic) => void this.listeners.delete(topic),
        notify: async (topic) => {
          if (topic === POSITIONS_TOPIC) this.notified += 1;
          if (topic === READERS_TOPIC) this.announced += 1;
        },
      },
      dialect,
      { ROLE: role },
    );
  }

  /** Whether the `JournalTail` under test is subscribed to notifications about commits of other processes. */
  get isListening(): boolean {
    return this.listeners.has(POSITIONS_TOPIC);
  }

  /** Simulates a notification from another process to the `JournalTail` under test. */
  notifyTail(topic = POSITIONS_TOPIC): void {
    const listener = this.listeners.get(topic);
    if (listener === undefined) throw new Error('Nobody listens.');
    listener();
  }

  commit(...positions: readonly number[]): void {
    for (const position of positions) this.journal.set(position, batchAt(position));
  }

  commitOf(projectId: string, ...positions: readonly number[]): void {
    for (const position of positions) this.journal.set(position, batchAt(position, projectId));
  }

  commitOwn(tail: JournalTail, position: number, projectId?: string): Batch {
    const batch = batchAt(position, projectId);
    const previous = position < this.horizon ? this.newest : null;
    this.journal.set(position, batch);
    tail.publish(batch, previous);
    return batch;
  }

  private get newest(): number {
    return Math.max(0, ...this.journal.keys());
  }
}

let world: World;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  world = new World();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await endOfTurn();
}

describe('JournalTail on a journal with several writing processes', () => {
  it('JournalTail does not publish batches that were committed before the process started', async () => {
    world.commit(1, 2, 3);
    await world.tail().onModuleInit();
    await endOfTurn();
    expect([world.published, world.bus.position]).toEqual([[], 3]);
  });

  it('JournalTail publishes commits of other processes when it is notified', async () => {
    await world.tail().onModuleInit();
    world.commit(1, 2);
    world.notifyTail();
    await endOfTurn();
    expect(world.published).toEqual([1, 2]);
  });

  it('JournalTail publishes a local commit without a read of the journal', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    const reads = world.reads;
    world.commitOwn(tail, 1);
    expect([world.published, world.reads]).toEqual([[1], reads]);
  });

  it('JournalTail publishes an earlier commit of another process before a later local commit', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.commit(1);
    world.commitOwn(tail, 2);
    expect(world.published).toEqual([]);
    await endOfTurn();
    expect(world.published).toEqual([1, 2]);
  });

  it('JournalTail publishes each batch once, however many pages it reads', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.pageSize = 2;
    world.commit(1, 2, 3, 4, 5);
    world.notifyTail();
    world.notifyTail();
    await endOfTurn();
    expect(world.published).toEqual([1, 2, 3, 4, 5]);
  });

  it('JournalTail reads the journal again if a notification arrives during a read', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.commit(1);
    world.notifyTail();
    await endOfTurn();
    world.notifyTail();
    gate.resolve();
    world.commit(2);
    await endOfTurn();
    expect(world.published).toEqual([1, 2]);
  });

  it('JournalTail publishes a commit five seconds after a lost notification', async () => {
    await world.tail().onModuleInit();
    await endOfTurn();
    world.commit(1);
    await pass(4_999);
    expect(world.published).toEqual([]);
    await pass(1);
    expect(world.published).toEqual([1]);
  });

  it('JournalTail retries a failed journal read after half a second', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.failure = new Error('The database is away.');
    world.commit(1);
    world.notifyTail();
    await endOfTurn();
    expect([world.published, warned.mock.calls.length]).toEqual([[], 1]);
    await pass(500);
    expect(world.published).toEqual([1]);
  });

  it('JournalTail stops polling the journal at shutdown', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    await tail.onApplicationShutdown();
    world.commit(1);
    await pass(10 * SECOND);
    expect(world.published).toEqual([]);
  });
});

describe('JournalTail without a subscriber to the feed', () => {
  /**
   * Subscribes to the events of an execution.
   * @returns the positions of all arrived batches, each once, although a batch may arrive twice
   */
  function wait(executionId: string): ReadonlySet<number> {
    const received = new Set<number>();
    world.bus.subscribeTo(executionId, ({ position }) => received.add(position));
    return received;
  }

  it('JournalTail does not read the journal without a subscriber', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.stopReading();
    const reads = world.reads;
    world.commit(1);
    world.notifyTail();
    world.commitOwn(tail, 2);
    await pass(10 * SECOND);
    expect([world.published, world.reads]).toEqual([[], reads]);
  });

  it('JournalTail is subscribed to notifications only while the process has a reader', async () => {
    const tail = world.tail();
    world.stopReading();
    await tail.onModuleInit();
    await endOfTurn();
    expect(world.isListening).toBe(false);
    const stop = world.bus.subscribe(() => undefined);
    await endOfTurn();
    expect(world.isListening).toBe(true);
    stop();
    await pass(70 * SECOND);
    expect(world.isListening).toBe(false);
  });

  it('JournalTail subscribes to notifications for a request whose execution another process may continue', async () => {
    const tail = world.tail();
    world.stopReading();
    await tail.onModuleInit();
    const batch = batchAt(1);
    world.bus.subscribeTo(batch.executionId, () => undefined, 0, true);
    await endOfTurn();
    expect(world.isListening).toBe(false);
    tail.publish({ ...batch, events: [{ type: 'workflow.waiting' } as Batch['events'][number]] }, 0);
    await endOfTurn();
    expect(world.isListening).toBe(true);
  });

  it('JournalTail publishes a commit that another process made before the subscription to notifications had started', async () => {
    const tail = world.tail();
    world.stopReading();
    await tail.onModuleInit();
    const published: number[] = [];
    world.bus.subscribe(({ position }) => published.push(position));
    world.commit(1);
    await endOfTurn();
    expect(published).toEqual([1]);
  });

  it('JournalTail does not subscribe to notifications after the shutdown', async () => {
    const tail = world.tail();
    world.stopReading();
    await tail.onModuleInit();
    await tail.onApplicationShutdown();
    world.bus.subscribe(() => undefined);
    await endOfTurn();
    expect(world.isListening).toBe(false);
  });

  it('JournalTail delivers events of another process to a waiting request', async () => {
    const tail = world.tail('postgres', 'api');
    await tail.onModuleInit();
    world.stopReading();
    world.commit(1, 2);
    const received = wait(world.journal.get(1)?.executionId ?? '');
    world.notifyTail();
    await expect.poll(() => received).toEqual(new Set([1]));
  });

  it('JournalTail does not read the journal for a subscriber that waits for events of an execution that this process has just started', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    world.stopReading();
    const batch = batchAt(1);
    world.journal.set(1, batch);
    const received: number[] = [];
    world.bus.subscribeTo(batch.executionId, ({ position }) => received.push(position), 0, true);
    world.notifyTail();
    await endOfTurn();
    expect(received).toEqual([]);
    tail.publish(batch, 0);
    expect(received).toEqual([1]);
  });

  it('after a time without subscribers, JournalTail starts the next feed at the end of the journal', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    world.stopReading();
    world.commit(1, 2, 3);
    expect(await tail.present()).toBe(3);
    expect(world.published).toEqual([]);
  });
});

describe('JournalTail with subscribers to some projects', () => {
  const received: number[] = [];
  let subscription: ProjectSubscription;

  async function started(): Promise<JournalTail> {
    const tail = world.tail();
    world.stopReading();
    received.length = 0;
    subscription = world.bus.subscribeToProjects(({ position }) => received.push(position));
    subscription.follow(['a']);
    await tail.onModuleInit();
    await endOfTurn();
    return tail;
  }

  it('JournalTail reads only the batches of the projects of its subscribers, and skips all other batches', async () => {
    await started();
    world.commitOf('a', 1);
    world.commitOf('b', 2);
    world.notifyTail();
    await endOfTurn();
    expect([received, world.bus.position]).toEqual([[1], 2]);
  });

  it('JournalTail publishes the batches of a project that was added during a read', async () => {
    await started();
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.commitOf('a', 1);
    world.commitOf('b', 2);
    world.notifyTail();
    await endOfTurn();
    subscription.follow(['a', 'b']);
    gate.resolve();
    await endOfTurn();
    expect(received).toEqual([1, 2]);
  });

  it('JournalTail does not read the journal for a local commit of a project without a subscriber', async () => {
    const tail = await started();
    world.commitOf('a', 1);
    const { reads } = world;
    world.commitOwn(tail, 2, 'b');
    await endOfTurn();
    expect(world.reads).toBe(reads);
  });

  it('JournalTail reads all projects in one scan if subscribers follow more than 64 projects', async () => {
    await started();
    subscription.follow(Array.from({ length: 65 }, (_, index) => `${index}`).concat('a'));
    world.commitOf('b', 1);
    world.commitOf('a', 2);
    world.notifyTail();
    await endOfTurn();
    expect(received).toEqual([2]);
    expect(world.selections.at(-1)).toBeNull();
  });

  it('`JournalTail.reach` resolves even if the batch at the position belongs to a project without a subscriber', async () => {
    const tail = await started();
    world.commitOf('b', 1);
    await tail.reach(1);
    expect([received, world.bus.position]).toEqual([[], 1]);
  });

  it('a request that waits for an execution gets its events even if no subscriber reads the project', async () => {
    await started();
    world.commitOf('b', 1);
    const awaited = new Set<number>();
    world.bus.subscribeTo(world.journal.get(1)?.executionId ?? '', ({ position }) => awaited.add(position));
    world.notifyTail();
    await expect.poll(() => awaited).toEqual(new Set([1]));
    expect(received).toEqual([]);
  });

  it('JournalTail reads nothing more after the last subscriber has left', async () => {
    await started();
    subscription.leave();
    const { reads } = world;
    world.commitOf('a', 1);
    world.notifyTail();
    await endOfTurn();
    expect([received, world.reads]).toEqual([[], reads]);
  });
});

describe('JournalTail while a transaction is in progress', () => {
  async function behind(): Promise<JournalTail> {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.horizon = 1;
    return tail;
  }

  it('JournalTail delays events in the feed until an earlier transaction has ended', async () => {
    const tail = await behind();
    world.commitOwn(tail, 2);
    await pass(1_000);
    expect(world.published).toEqual([]);
    world.horizon = Infinity;
    await pass(100);
    expect(world.published).toEqual([2]);
  });

  it('while an earlier transaction is open, a request that waits for an execution gets commits of this process', async () => {
    const tail = await behind();
    const batch = batchAt(2);
    const received: number[] = [];
    world.bus.subscribeTo(batch.executionId, ({ position }) => received.push(position));
    world.journal.set(2, batch);
    tail.publish(batch, null);
    expect([received, world.published]).toEqual([[2], []]);
  });

  it('while an earlier transaction is open, a request that waits for an execution gets commits of other processes', async () => {
    await behind();
    world.commit(2);
    const received: number[] = [];
    world.bus.subscribeTo(world.journal.get(2)?.executionId ?? '', ({ position }) => received.push(position));
    world.notifyTail();
    await pass(10);
    world.notifyTail();
    await pass(10);
    expect([[...new Set(received)], world.published]).toEqual([[2], []]);
  });

  it('JournalTail warns after five seconds about a transaction that blocks the feed', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
    const tail = await behind();
    world.commitOwn(tail, 2);
    await pass(4_000);
    expect(warned).not.toHaveBeenCalled();
    await pass(2_000);
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ pid: 4711, age_ms: 61_000, application: 'report' }),
      expect.stringContaining('delays the event feed'),
    );
    await pass(10_000);
    expect(warned).toHaveBeenCalledTimes(1);
  });
});

describe('JournalTail.reach', () => {
  it('`JournalTail.reach` resolves immediately for a published position', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    world.commit(1);
    world.notifyTail();
    await endOfTurn();
    await tail.reach(1);
    expect(world.published).toEqual([1]);
  });

  it('`JournalTail.reach` resolves once the bus has published the position', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.commit(1);
    await tail.reach(1);
    expect(world.published).toEqual([1]);
  });

  it('`JournalTail.reach` resolves after one second even if the position was not published', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    let hasGoneOn = false;
    void tail.reach(9).then(() => (hasGoneOn = true));
    await pass(999);
    expect(hasGoneOn).toBe(false);
    await pass(1);
    expect(hasGoneOn).toBe(true);
  });
});

describe('JournalTail by database and role', () => {
  it('JournalTail on SQLite publishes commits without a read of the journal', async () => {
    const tail = world.tail('sqlite');
    await tail.onModuleInit();
    world.commitOwn(tail, 1);
    world.commitOwn(tail, 2);
    await pass(10 * SECOND);
    expect([world.published, world.reads]).toEqual([[1, 2], 0]);
  });

  it('JournalTail publishes a commit although a listener of commits fails', async () => {
    vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const tail = world.tail('sqlite');
    await tail.onModuleInit();
    const heard: number[] = [];
    tail.onCommitted(() => {
      throw new Error('The listener failed.');
    });
    tail.onCommitted(({ position }) => heard.push(position));
    world.commitOwn(tail, 1);
    await pass(0);
    expect([heard, world.published]).toEqual([[1], [1]]);
  });

  it('JournalTail of a worker process sends other processes one notification for 100 simultaneous commits', async () => {
    const tail = world.tail('postgres', 'worker');
    await tail.onModuleInit();
    for (let position = 1; position <= 100; position += 1) world.commitOwn(tail, position);
    expect(world.notified).toBe(1);
  });

  it('JournalTail sends no notification while no other process has announced readers', async () => {
    const tail = world.tail('postgres', 'worker');
    vi.useFakeTimers({ toFake: ['performance'] });
    await tail.onModuleInit();
    vi.advanceTimersByTime(15 * SECOND);
    world.commitOwn(tail, 1);
    expect(world.notified).toBe(0);
    world.notifyTail(READERS_TOPIC);
    expect(world.notified).toBe(1);
  });

  it('JournalTail announces its readers to the processes that commit', async () => {
    await world.tail().onModuleInit();
    await endOfTurn();
    expect(world.announced).toBe(1);
    await pass(5 * SECOND);
    expect(world.announced).toBe(2);
  });

  it('JournalTail on SQLite sends no notification', async () => {
    const tail = world.tail('sqlite');
    await tail.onModuleInit();
    world.commitOwn(tail, 1);
    expect(world.notified).toBe(0);
  });

  it('JournalTail of a worker process publishes nothing', async () => {
    const tail = world.tail('postgres', 'worker');
    await tail.onModuleInit();
    world.commitOwn(tail, 1);
    await pass(10 * SECOND);
    expect([world.published, world.reads]).toEqual([[], 0]);
  });
});
