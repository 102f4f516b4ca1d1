import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../platform/index.js';
import type { Batch } from './batch.js';
import { EventBus } from './event-bus.js';
import { JournalTail } from './journal-tail.js';

const SECOND = 1_000;

function batchAt(position: number): Batch {
  return {
    id: newId(),
    position,
    firstSequence: 1,
    events: [],
    executionId: newId(),
    projectId: newId(),
    workflowId: newId(),
    sessionId: null,
  };
}

/** A journal with several writing processes, and the bus of one of them. */
class World {
  /** Committed batches, by position. */
  readonly journal = new Map<number, Batch>();
  readonly published: number[] = [];
  readonly bus = new EventBus();
  /** Number of pages read. */
  reads = 0;
  failure: Error | null = null;
  /** Blocks reads until a test resolves it. */
  gate: Promise<void> = Promise.resolve();
  pageSize = Infinity;
  /** The listener for notifications of other processes. */
  hear: () => void = () => {
    throw new Error('Nobody listens.');
  };

  tail(dialect: 'sqlite' | 'postgres' = 'postgres', role: 'all' | 'api' | 'worker' = 'all'): JournalTail {
    this.bus.subscribe(({ position }) => this.published.push(position));
    return new JournalTail(
      {
        bounds: async () => ({ floor: 0, oldest: 0, newest: Math.max(0, ...this.journal.keys()) }),
        after: async (position, limit, own) => {
          this.reads += 1;
          await this.gate;
          const { failure } = this;
          this.failure = null;
          if (failure !== null) throw failure;
          const found = [...this.journal.values()]
            .filter((batch) => batch.position > position)
            .sort((a, b) => a.position - b.position);
          const batches = found.slice(0, Math.min(limit, this.pageSize));
          return {
            batches: batches.map((batch) => own.get(batch.position) ?? batch),
            hasMore: batches.length < found.length,
          };
        },
      },
      this.bus,
      { listen: async (_topic, hear) => void (this.hear = hear) },
      dialect,
      { ROLE: role },
    );
  }

  /** Another process commits without notifying this one. */
  commit(...positions: readonly number[]): void {
    for (const position of positions) this.journal.set(position, batchAt(position));
  }

  /** This process commits. */
  commitOwn(tail: JournalTail, position: number): Batch {
    const batch = batchAt(position);
    this.journal.set(position, batch);
    tail.publish(batch);
    return batch;
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

describe('journal tail on a journal with several writing processes', () => {
  it('starts after the batches committed before its process started', async () => {
    world.commit(1, 2, 3);
    await world.tail().onModuleInit();
    await endOfTurn();
    expect([world.published, world.bus.position]).toEqual([[], 3]);
  });

  it('publishes commits of other processes when notified', async () => {
    await world.tail().onModuleInit();
    world.commit(1, 2);
    world.hear();
    await endOfTurn();
    expect(world.published).toEqual([1, 2]);
  });

  it('publishes an own commit without reading it when no other commit precedes it', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    const reads = world.reads;
    world.commitOwn(tail, 1);
    expect([world.published, world.reads]).toEqual([[1], reads]);
  });

  it('publishes the commit of another process before an own commit that follows it', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.commit(1);
    world.commitOwn(tail, 2);
    expect(world.published).toEqual([]);
    await endOfTurn();
    expect(world.published).toEqual([1, 2]);
  });

  it('publishes each batch once, for any number of pages read', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.pageSize = 2;
    world.commit(1, 2, 3, 4, 5);
    world.hear();
    world.hear();
    await endOfTurn();
    expect(world.published).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads again when notified during a read', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.commit(1);
    world.hear();
    await endOfTurn();
    world.hear();
    gate.resolve();
    world.commit(2);
    await endOfTurn();
    expect(world.published).toEqual([1, 2]);
  });

  it('publishes commits with lost notifications within five seconds', async () => {
    await world.tail().onModuleInit();
    await endOfTurn();
    world.commit(1);
    await pass(4_999);
    expect(world.published).toEqual([]);
    await pass(1);
    expect(world.published).toEqual([1]);
  });

  it('retries a failed journal read after half a second', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.failure = new Error('The database is away.');
    world.commit(1);
    world.hear();
    await endOfTurn();
    expect([world.published, warned.mock.calls.length]).toEqual([[], 1]);
    await pass(500);
    expect(world.published).toEqual([1]);
  });

  it('stops polling the journal after shutdown', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    await tail.onApplicationShutdown();
    world.commit(1);
    await pass(10 * SECOND);
    expect(world.published).toEqual([]);
  });
});

describe('a reader waiting for a position', () => {
  it('resolves immediately when the bus has already published the position', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    world.commit(1);
    world.hear();
    await endOfTurn();
    await tail.reach(1);
    expect(world.published).toEqual([1]);
  });

  it('makes the tail read the journal and resolves once the bus has published the position', async () => {
    const tail = world.tail();
    await tail.onModuleInit();
    await endOfTurn();
    world.commit(1);
    await tail.reach(1);
    expect(world.published).toEqual([1]);
  });

  it('stops waiting for a position after one second when it is never published', async () => {
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

describe('journal tail of a process', () => {
  it('publishes own commits at once and never reads the journal on SQLite', async () => {
    const tail = world.tail('sqlite');
    await tail.onModuleInit();
    world.commitOwn(tail, 1);
    world.commitOwn(tail, 2);
    await pass(10 * SECOND);
    expect([world.published, world.reads]).toEqual([[1, 2], 0]);
  });

  it('publishes nothing and never reads the journal in a worker', async () => {
    const tail = world.tail('postgres', 'worker');
    await tail.onModuleInit();
    world.commitOwn(tail, 1);
    await pass(10 * SECOND);
    expect([world.published, world.reads]).toEqual([[], 0]);
  });
});
