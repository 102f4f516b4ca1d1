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

/** Where the past is read from, and where it ends: the journal and the bus. */
export interface ReplaySource {
  /** Position of the last batch that the bus has brought. All up to it can be read. */
  readonly tip: number;
  /** Batches after a cursor, up to and with a position, in the order of their commits; `limit` at most. */
  feed(filter: FeedFilter, after: Cursor, limit: number, upTo: number): Promise<BatchPage>;
}

/** Where events go to. */
export interface ReplaySink {
  send(batch: Batch, index: number): void;
  /** Resolves when the receiver has room for more, or is gone. */
  drained(): Promise<void>;
  /** The subscription's past is sent; what follows for it is live. */
  caughtUp(subscription: Subscription): void;
  /** Everything is live. */
  live(): void;
  failed(error: unknown): void;
}

export interface ReplayLimits {
  /** Batches read from the journal at once at most. */
  readonly pageSize: number;
  /** Batches kept while the past is read; past that they are read from the journal again. */
  readonly bufferSize: number;
}

/** A stretch of the journal that is still to be read, for some subscriptions. */
interface Past {
  readonly subscriptions: Set<Subscription>;
  readonly filter: FeedFilter;
  /** Whether it is what a subscription began with, and not what was dropped since. */
  readonly isBeginning: boolean;
  /** The last position of it. What comes after is brought by the bus, to all subscriptions at once. */
  readonly upTo: number;
  after: Cursor;
}

/** Batches of the first page of a past. */
const FIRST_PAGE = 4;
/**
 * A batch has one event or hundreds. Pages of about so many are sent while the next is read, where one of many large
 * batches would hold up its first event, and the memory, until all of them are read and written.
 */
const EVENTS_IN_PAGE = 512;

/** Buffered batches sent before the receiver is asked for room. */
const CHUNK = 64;

/**
 * Leads one reader from the journal's past into the live feed without a gap: while a past is read, what the
 * bus brings is kept, then sent. The past ends where the bus is, so that nothing comes by both ways. Where the kept
 * batches get too many they are dropped and read from the journal as well, so a slow reader costs no memory.
 */
export class Replay {
  private readonly subscriptions = new Set<Subscription>();
  private readonly pasts: Past[] = [];
  private buffer: Batch[] = [];
  /** Position of the first batch that was dropped; all after it are dropped too. */
  private lostFrom: number | undefined;
  private working = false;
  private closed = false;

  constructor(
    private readonly source: ReplaySource,
    private readonly sink: ReplaySink,
    private readonly limits: ReplayLimits,
  ) {}

  /** Adds subscriptions, whose past is read together. The bus must be attached before. */
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
      // Nobody waits for it any more.
      if (!this.closed) this.sink.failed(error);
    });
  }

  remove(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    for (const past of this.pasts) past.subscriptions.delete(subscription);
  }

  /** What the bus brings. */
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
    // A reading that is under way finds nobody to give its page to.
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
      // Half or twice as many, so that there are few different statements.
      limit = eventsOf(batches) > EVENTS_IN_PAGE ? Math.max(1, limit >> 1) : Math.min(limit * 2, pageSize);
      await this.sink.drained();
    }
    for (const subscription of past.subscriptions) {
      subscription.advance(past.upTo);
      if (past.isBeginning) this.sink.caughtUp(subscription);
    }
  }

  /** Buffering begins anew before the reading does, so nothing falls between. */
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

/** A filter that lets pass what any of them may want. */
function ofProjects(subscriptions: readonly Subscription[]): FeedFilter {
  return { projectIds: [...new Set(subscriptions.flatMap(({ projectIds }) => projectIds))] };
}

function earlier(one: Cursor, other: Cursor): Cursor {
  return isAfter(one, other.position, other.index ?? Infinity) ? one : other;
}

/** Whether events up to and with a position lie after a cursor. */
function isBefore({ position, index }: Cursor, upTo: number): boolean {
  return index === null ? position < upTo : position <= upTo;
}

function eventsOf(page: readonly Batch[]): number {
  return page.reduce((sum, { events }) => sum + events.length, 0);
}

/** What a cursor can be used for. */
export type CursorStanding = 'usable' | 'expired' | 'unknown';

/** The start is always usable: it stands for the oldest event there is. */
export function standingOf(
  { position, index }: Cursor,
  { floor, oldest, newest }: JournalBounds,
): CursorStanding {
  if (position === START.position) return 'usable';
  if (position > newest) return 'unknown';
  // The rest of a batch that was read in part may have been removed.
  const isCut = index !== null && position <= floor;
  return isCut || position + 1 < oldest ? 'expired' : 'usable';
}
