import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../execution-events/index.js';
import { type Batch, type BatchPage, type Cursor, type FeedFilter, START } from '../journal/index.js';
import {
  type FeedSink,
  Replay,
  type ReplayLimits,
  type ReplayOwner,
  type ReplaySource,
  cursorStatus,
} from './replay.js';
import { Subscription } from './subscription.js';

const PROJECT = 'project';
const LIMITS = { pageSize: 2, bufferSize: 2 };

/** Creates a replay whose sink and owner are the same client. */
function replayOf(
  source: ReplaySource,
  client: Omit<FeedSink, 'caughtUp'> & Omit<ReplayOwner, 'principal'>,
  limits: ReplayLimits,
): Replay {
  const sink = { ...client, caughtUp: () => undefined };
  return new Replay(source, sink, { ...client, principal: { role: 'viewer', scopes: [] } }, limits);
}

/**
 * An in-memory journal. Reads return a commit at once, but the event bus publishes the commit only when a test calls
 * `publish`.
 */
class ListJournal implements ReplaySource {
  readonly batches: Batch[] = [];
  private readonly unpublished: Batch[] = [];
  private readonly sequences = new Map<string, number>();
  tip = 0;
  listener: (batch: Batch) => void = () => undefined;

  commit(executionId: string, events: number): void {
    const firstSequence = (this.sequences.get(executionId) ?? 0) + 1;
    this.sequences.set(executionId, firstSequence + events - 1);
    const event: JournalEvent = {
      type: 'workflow.paused',
      at: 0,
      nodeId: null,
      attempt: null,
      data: { status: 'paused', reason: null },
    };
    const batch: Batch = {
      id: `batch-${this.batches.length}`,
      position: this.batches.length + 1,
      executionId,
      projectId: PROJECT,
      workflowId: 'workflow',
      sessionId: null,
      firstSequence,
      events: Array.from({ length: events }, () => event),
    };
    this.batches.push(batch);
    this.unpublished.push(batch);
  }

  publish(): void {
    for (const batch of this.unpublished.splice(0)) {
      this.tip = batch.position;
      this.listener(batch);
    }
  }

  sequenceOf(executionId: string): number {
    return this.sequences.get(executionId) ?? 0;
  }

  /** Returns a view of the journal whose reads complete only when the scheduler of the test allows it. */
  readWith(schedule: <T>(work: Promise<T>) => Promise<T>): ReplaySource {
    const tip = (): number => this.tip;
    return {
      get tip() {
        return tip();
      },
      feed: (...reading) => schedule(this.feed(...reading)),
    };
  }

  async feed(filter: FeedFilter, after: Cursor, limit: number, upTo: number): Promise<BatchPage> {
    const { executionId } = filter;
    const batches = this.batches
      .filter(({ position }) =>
        after.index === null ? position > after.position : position >= after.position,
      )
      .filter(({ position }) => position <= upTo)
      .filter((batch) => executionId === undefined || batch.executionId === executionId)
      .slice(0, limit);
    return { batches, hasMore: batches.length === limit };
  }
}

interface Seen {
  readonly executionId: string;
  readonly sequence: number;
  readonly cursor: Cursor;
}

/** A client that reconnects with the cursor of its last event. */
class Client {
  readonly seen: Seen[] = [];
  failure: unknown;
  private replay: Replay | undefined;

  constructor(
    private readonly journal: ListJournal,
    private readonly schedule: <T>(work: Promise<T>) => Promise<T>,
  ) {}

  connect(): void {
    const replay = replayOf(
      this.journal.readWith(this.schedule),
      {
        event: ({ executionId, firstSequence, position }, index) =>
          this.seen.push({ executionId, sequence: firstSequence + index, cursor: { position, index } }),
        drained: () => this.schedule(Promise.resolve()),
        caughtUp: () => undefined,
        replaysCompleted: () => undefined,
        failed: (error) => (this.failure = error),
      },
      LIMITS,
    );
    this.replay = replay;
    this.journal.listener = (batch) => replay.offer(batch);
    replay.add(new Subscription(null, {}, [PROJECT], this.seen.at(-1)?.cursor ?? START));
  }

  /**
   * Disconnects the client and discards the last `unreceived` events, as if they were lost on the way to the client.
   */
  cut(unreceived: number): void {
    this.replay?.close();
    this.journal.listener = () => undefined;
    this.seen.splice(Math.max(0, this.seen.length - unreceived));
  }
}

type Step =
  | { readonly kind: 'commit'; readonly executionId: string; readonly events: number }
  | { readonly kind: 'publish' }
  | { readonly kind: 'cut'; readonly unreceived: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      executionId: fc.constantFrom('a', 'b', 'c'),
      events: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('publish' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cut' as const), unreceived: fc.integer({ min: 0, max: 4 }) }),
  },
);

describe('Replay', () => {
  it('a replay sends each event once and in order, however reads, commits and disconnects interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(step, { maxLength: 40 }),
        fc.nat({ max: 5 }),
        async (scheduler, steps, before) => {
          const journal = new ListJournal();
          for (let index = 0; index < before; index += 1) journal.commit('a', 2);
          journal.publish();
          const client = new Client(journal, (work) => scheduler.schedule(work));
          client.connect();
          for (const one of steps) {
            if (one.kind === 'commit') journal.commit(one.executionId, one.events);
            else if (one.kind === 'publish') journal.publish();
            else {
              client.cut(one.unreceived);
              client.connect();
            }
            if (scheduler.count() > 0 && one.kind !== 'cut') await scheduler.waitNext(1);
          }
          journal.publish();
          await scheduler.waitIdle();
          expect(client.failure).toBeUndefined();
          for (const executionId of ['a', 'b', 'c']) {
            const sequences = client.seen
              .filter((seen) => seen.executionId === executionId)
              .map(({ sequence }) => sequence);
            expect(sequences).toEqual(
              Array.from({ length: journal.sequenceOf(executionId) }, (_, index) => index + 1),
            );
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('a new subscription replays one execution while another subscription stays live, and both send events in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 30 }),
        fc.nat({ max: 20 }),
        async (scheduler, commits, at) => {
          const journal = new ListJournal();
          const sent: Seen[] = [];
          const replay = replayOf(
            journal.readWith((work) => scheduler.schedule(work)),
            {
              event: ({ executionId, firstSequence, position }, index) =>
                sent.push({ executionId, sequence: firstSequence + index, cursor: { position, index } }),
              drained: () => scheduler.schedule(Promise.resolve()),
              caughtUp: () => undefined,
              replaysCompleted: () => undefined,
              failed: (error) => expect.unreachable(String(error)),
            },
            LIMITS,
          );
          journal.listener = (batch) => replay.offer(batch);
          replay.add(new Subscription('live', { executionId: 'b' }, [PROJECT], START));
          for (const [index, executionId] of commits.entries()) {
            if (index === at) replay.add(new Subscription('past', { executionId: 'a' }, [PROJECT], START));
            journal.commit(executionId, 1);
            journal.publish();
            if (scheduler.count() > 0) await scheduler.waitNext(1);
          }
          await scheduler.waitIdle();
          for (const executionId of commits.length > at ? ['a', 'b'] : ['b']) {
            const sequences = sent
              .filter((seen) => seen.executionId === executionId)
              .map(({ sequence }) => sequence);
            expect(sequences).toEqual(
              Array.from({ length: journal.sequenceOf(executionId) }, (_, index) => index + 1),
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('a live event is sent only once, even if several subscriptions with different start cursors match the event', async () => {
    type Move =
      | { readonly kind: 'commit'; readonly executionId: string }
      | { readonly kind: 'publish' }
      | {
          readonly kind: 'subscribe';
          readonly executionId: string | undefined;
          readonly isFromStart: boolean;
        };
    const move: fc.Arbitrary<Move> = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('commit' as const),
          executionId: fc.constantFrom('a', 'b'),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('publish' as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('subscribe' as const),
          executionId: fc.constantFrom('a', 'b', undefined),
          isFromStart: fc.boolean(),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(move, { maxLength: 40 }), async (scheduler, moves) => {
        const journal = new ListJournal();
        const sent = new Map<number, number>();
        const live = new Set<string | null>();
        const replay = replayOf(
          journal.readWith((work) => scheduler.schedule(work)),
          {
            event: ({ position }) => sent.set(position, (sent.get(position) ?? 0) + 1),
            drained: () => scheduler.schedule(Promise.resolve()),
            caughtUp: ({ id }) => live.add(id),
            replaysCompleted: () => undefined,
            failed: (error) => expect.unreachable(String(error)),
          },
          LIMITS,
        );
        journal.listener = (batch) => replay.offer(batch);
        /**
         * The subscriptions made so far: filter, start cursor, and the newest journal position when the subscription
         * was added.
         */
        const made: { executionId: string | undefined; after: number; newest: number }[] = [];
        for (const one of moves) {
          if (one.kind === 'commit') journal.commit(one.executionId, 1);
          else if (one.kind === 'publish') journal.publish();
          else {
            const newest = journal.batches.length;
            const after = one.isFromStart ? 0 : newest;
            const filter = one.executionId === undefined ? {} : { executionId: one.executionId };
            replay.add(
              new Subscription(`${made.length}`, filter, [PROJECT], { position: after, index: null }),
            );
            made.push({ executionId: one.executionId, after, newest });
          }
          if (scheduler.count() > 0) await scheduler.waitNext(1);
        }
        journal.publish();
        await scheduler.waitIdle();
        expect(live.size).toBe(made.length);
        for (const { position, executionId } of journal.batches) {
          const matching = made.filter(
            (one) =>
              position > one.after && (one.executionId === undefined || one.executionId === executionId),
          );
          // A client with several subscriptions may receive an event several times, because each subscription
          // replays all past events after its own start cursor.
          const replayed = matching.filter(({ newest }) => position <= newest).length;
          const times = sent.get(position) ?? 0;
          expect(times).toBeGreaterThanOrEqual(Math.min(1, matching.length));
          expect(times).toBeLessThanOrEqual(Math.min(matching.length, replayed + 1));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('a replay reads few batches per page if the batches are large, and a full page if the batches are small', async () => {
    const limitsOf = async (events: number): Promise<readonly number[]> => {
      const journal = new ListJournal();
      for (let index = 0; index < 40; index += 1) journal.commit('a', events);
      journal.publish();
      const limits: number[] = [];
      await new Promise<void>((resolve, reject) => {
        const replay = replayOf(
          {
            tip: journal.tip,
            feed: (filter, after, limit, upTo) => {
              limits.push(limit);
              return journal.feed(filter, after, limit, upTo);
            },
          },
          {
            event: () => undefined,
            drained: () => Promise.resolve(),
            caughtUp: () => undefined,
            replaysCompleted: resolve,
            failed: reject,
          },
          { pageSize: 20, bufferSize: 2 },
        );
        replay.add(new Subscription(null, {}, [PROJECT], START));
      });
      return limits;
    };
    expect(await limitsOf(1)).toEqual([4, 8, 16, 20]);
    expect(Math.max(...(await limitsOf(200)))).toBe(4);
  });

  it('a replay continues after the journal returned a page that is shorter than requested', async () => {
    const journal = new ListJournal();
    for (let index = 0; index < 5; index += 1) journal.commit('a', 1);
    journal.publish();
    const sent: number[] = [];
    await new Promise<void>((resolve, reject) => {
      const replay = replayOf(
        {
          tip: journal.tip,
          feed: async (filter, after, limit, upTo) => {
            const { batches } = await journal.feed(filter, after, limit, upTo);
            return { batches: batches.slice(0, 1), hasMore: batches.length > 1 };
          },
        },
        {
          event: ({ position }) => sent.push(position),
          drained: () => Promise.resolve(),
          caughtUp: () => undefined,
          replaysCompleted: resolve,
          failed: reject,
        },
        { pageSize: 20, bufferSize: 2 },
      );
      replay.add(new Subscription(null, {}, [PROJECT], START));
    });
    expect(sent).toEqual([1, 2, 3, 4, 5]);
  });

  it('a replay calls `failed` with the error of a journal read, and stops', async () => {
    const fault = new Error('away');
    const failed = await new Promise((resolve) => {
      const replay = replayOf(
        { tip: 1, feed: () => Promise.reject(fault) },
        {
          event: () => expect.unreachable(),
          drained: () => Promise.resolve(),
          caughtUp: () => expect.unreachable(),
          replaysCompleted: () => expect.unreachable(),
          failed: resolve,
        },
        LIMITS,
      );
      replay.add(new Subscription(null, {}, [PROJECT], START));
    });
    expect(failed).toBe(fault);
  });
});

describe('cursorStatus', () => {
  it.each([
    ['the start of a journal whose first events are deleted', 'usable', { position: 0, index: null }],
    ['the last deleted position', 'usable', { position: 4, index: null }],
    ['an event inside a deleted batch', 'expired', { position: 4, index: 2 }],
    ['an event before the last deleted batch', 'expired', { position: 3, index: 2 }],
    ['the newest event', 'usable', { position: 9, index: 0 }],
    ['a position that was never assigned', 'unknown', { position: 10, index: null }],
  ] as const)('`cursorStatus` classifies a cursor at %s as %s', (_, expected, cursor) => {
    expect(cursorStatus(cursor, { floor: 4, oldest: 5, newest: 9 })).toBe(expected);
  });
});
