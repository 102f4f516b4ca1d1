import {
  type Batch,
  type BatchPage,
  type Cursor,
  type FeedFilter,
  isAfter,
  type JournalBounds,
  START,
} from '../journal/index.js';
import type { Subscription } from './subscription.js';

/** Port to the past events of the journal. */
export interface ReplaySource {
  /** Position of the last batch that the event bus has published. Later batches must not be read yet. */
  readonly tip: number;
  /** Returns at most `limit` batches after a cursor, up to and including position `upTo`, in commit order. */
  feed(filter: FeedFilter, after: Cursor, limit: number, upTo: number): Promise<BatchPage>;
}

export interface ReplaySink {
  send(batch: Batch, index: number): void;
  /** Resolves when the receiver can accept more events, or has disconnected. */
  drained(): Promise<void>;
  /** Called after all past events of a subscription were sent. The events that follow are live. */
  caughtUp(subscription: Subscription): void;
  /** Called when all subscriptions are live. */
  live(): void;
  failed(error: unknown): void;
}

export interface ReplayLimits {
  /** Maximum number of batches per journal read. */
  readonly pageSize: number;
  /**
   * Maximum number of batches buffered during a replay. If more batches arrive, the buffer is dropped and the dropped
   * batches are read from the journal later.
   */
  readonly bufferSize: number;
}

/** A range of the journal that must still be read for some subscriptions. */
interface Past {
  readonly subscriptions: Set<Subscription>;
  readonly filter: FeedFilter;
  /** Whether this is the first replay of a subscription; false for dropped batches that are read again. */
  readonly isBeginning: boolean;
  /** Last position of the range. Later batches come from the event bus. */
  readonly upTo: number;
  after: Cursor;
}

/** Maximum number of batches in the first page of a replay. */
const FIRST_PAGE = 4;
/**
 * Number of events in a page above which the next page reads half as many batches. A batch may have hundreds of events,
 * so a page of many large batches would use too much memory.
 */
const EVENTS_IN_PAGE = 512;

/** Number of buffered batches that are sent before the replay waits until the receiver can accept more. */
const CHUNK = 64;

/**
 * Sends the past events of the journal to one reader and continues with live events, without gaps or duplicates.
 * Batches from the event bus are buffered during the replay and sent after it. The replay ends at the position that the
 * event bus had reached when the replay started, so no batch is sent twice. If the buffer overflows, its batches are
 * dropped and read from the journal later, so a slow reader uses bounded memory.
 */
export class Replay {
  private readonly subscriptions = new Set<Subscription>();
  private readonly pasts: Past[] = [];
  private buffer: Batch[] = [];
  /** Position of the first dropped batch; undefined if none was dropped. All later batches are dropped, too. */
  private lostFrom: number | undefined;
  private working = false;
  private closed = false;

  constructor(
    private readonly source: ReplaySource,
    private readonly sink: ReplaySink,
    private readonly limits: ReplayLimits,
  ) {}

  /**
   * Adds subscriptions and replays their past events together. The reader must already receive batches from the event
   * bus, so that no batch is missed.
   */
  add(first: Subscription, ...others: readonly Subscription[]): void {
    const subscriptions = [first, ...others];
    for (const subscription of subscriptions) this.subscriptions.add(subscription);
    this.pasts.push({
      subscriptions: new Set(subscriptions),
      filter: others.length === 0 ? first.feedFilter : ofProjects(subscriptions),
      isBeginning: true,
      upTo: this.source.tip,
      after: subscriptions.map(({ seen }) => seen).reduce(earlier),
    });
    if (this.working) return;
    this.working = true;
    this.work().catch((error: unknown) => {
      // A client that has disconnected needs no error.
      if (!this.closed) this.sink.failed(error);
    });
  }

  remove(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    for (const past of this.pasts) past.subscriptions.delete(subscription);
  }

  /** Accepts a batch from the event bus. */
  offer(batch: Batch): void {
    if (!this.working) this.deliver(batch, this.subscriptions);
    else if (this.lostFrom === undefined && this.buffer.push(batch) > this.limits.bufferSize) {
      this.lostFrom = this.buffer[0]?.position;
      this.buffer = [];
    }
  }

  close(): void {
    this.closed = true;
    this.buffer = [];
    this.subscriptions.clear();
    // A read in progress then finds no subscription to which it could send its page.
    for (const past of this.pasts) past.subscriptions.clear();
    this.pasts.length = 0;
  }

  private async work(): Promise<void> {
    while (!this.closed) {
      const past = this.pasts[0];
      if (past !== undefined) {
        await this.read(past);
        if (this.pasts[0] === past) this.pasts.shift();
      } else if (this.lostFrom !== undefined) {
        this.readAgain(this.lostFrom);
      } else if (this.buffer.length > 0) {
        for (const batch of this.buffer.splice(0, CHUNK)) this.deliver(batch, this.subscriptions);
        await this.sink.drained();
      } else {
        this.working = false;
        this.sink.live();
        return;
      }
    }
  }

  private async read(past: Past): Promise<void> {
    const { pageSize } = this.limits;
    let limit = Math.min(FIRST_PAGE, pageSize);
    while (past.subscriptions.size > 0 && isBefore(past.after, past.upTo)) {
      const { batches, hasMore } = await this.source.feed(past.filter, past.after, limit, past.upTo);
      for (const batch of batches) this.deliver(batch, past.subscriptions);
      const last = batches.at(-1);
      if (last !== undefined) {
        past.after = { position: last.position, index: null };
        for (const subscription of past.subscriptions) subscription.advance(last.position);
      }
      if (!hasMore) break;
      // The limit is only halved or doubled, so that there are few different SQL statements to prepare.
      limit = eventsOf(batches) > EVENTS_IN_PAGE ? Math.max(1, limit >> 1) : Math.min(limit * 2, pageSize);
      await this.sink.drained();
    }
    for (const subscription of past.subscriptions) {
      subscription.advance(past.upTo);
      if (past.isBeginning) this.sink.caughtUp(subscription);
    }
  }

  /**
   * Schedules a read of the dropped batches. Resets `lostFrom` first, so that batches that arrive during the read are
   * buffered.
   */
  private readAgain(from: number): void {
    this.lostFrom = undefined;
    this.pasts.push({
      subscriptions: new Set(this.subscriptions),
      filter: ofProjects([...this.subscriptions]),
      isBeginning: false,
      upTo: this.source.tip,
      after: { position: from - 1, index: null },
    });
  }

  private deliver(batch: Batch, subscriptions: ReadonlySet<Subscription>): void {
    const covering: Subscription[] = [];
    for (const subscription of subscriptions) if (subscription.covers(batch)) covering.push(subscription);
    if (covering.length === 0) return;
    for (let index = 0; index < batch.events.length; index += 1)
      if (covering.some((subscription) => subscription.wants(batch, index))) this.sink.send(batch, index);
  }
}

/**
 * Returns a filter for the projects of all subscriptions. The filter may match more events than the subscriptions do.
 */
function ofProjects(subscriptions: readonly Subscription[]): FeedFilter {
  return { projectIds: [...new Set(subscriptions.flatMap(({ projectIds }) => projectIds))] };
}

function earlier(one: Cursor, other: Cursor): Cursor {
  return isAfter(one, other.position, other.index ?? Infinity) ? one : other;
}

/**
 * Whether a read from the cursor up to position `upTo` can return events. A cursor with an index points into a batch,
 * and later events of that batch may follow.
 */
function isBefore({ position, index }: Cursor, upTo: number): boolean {
  return index === null ? position < upTo : position <= upTo;
}

function eventsOf(page: readonly Batch[]): number {
  return page.reduce((sum, { events }) => sum + events.length, 0);
}

/** Whether a cursor can be used; if not, why. */
export type CursorStanding = 'usable' | 'expired' | 'unknown';

/** Classifies a cursor. Position 0 is always usable, because it stands for the oldest stored event. */
export function standingOf(
  { position, index }: Cursor,
  { floor, oldest, newest }: JournalBounds,
): CursorStanding {
  if (position === START.position) return 'usable';
  if (position > newest) return 'unknown';
  // Retention may have deleted a batch of which the reader received only some events.
  const isCut = index !== null && position <= floor;
  return isCut || position + 1 < oldest ? 'expired' : 'usable';
}
