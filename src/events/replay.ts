import type { Principal } from '../access/index.js';
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
import { visibleBatch } from './visible-batch.js';

/** Port that reads the past events of the journal. */
export interface ReplaySource {
  /** Position of the last batch that the event bus has published. A replay must not read batches after it. */
  readonly tip: number;
  /** Returns at most `limit` batches in commit order: batches after the cursor, up to and including position `upTo`. */
  feed(filter: FeedFilter, after: Cursor, limit: number, upTo: number): Promise<BatchPage>;
}

/** Sends events to one client over a transport. */
export interface FeedSink {
  event(batch: Batch, index: number): void;
  /** Resolves when the client can accept more events, or has disconnected. */
  drained(): Promise<void>;
  /** Called when all past events of a subscription were sent, so that the following events are live. */
  caughtUp(subscriptionId: string | null, cursor: Cursor): void;
  failed(error: unknown): void;
}

/** The `FeedReader` whose events a replay sends. */
export interface ReplayOwner {
  readonly principal: Pick<Principal, 'role' | 'scopes'>;
  /** Called when all past events of a subscription were sent. */
  caughtUp(subscription: Subscription): void;
  /** Called when the replays of all subscriptions are complete. */
  replaysCompleted(): void;
}

export interface ReplayLimits {
  /** Maximum number of batches per journal read. */
  readonly pageSize: number;
  /**
   * Maximum number of batches to buffer while past events are replayed. If the buffer overflows, all buffered and later
   * batches are dropped, and read from the journal after the replay.
   */
  readonly bufferSize: number;
}

/** A range of the journal that a replay must still read, and the subscriptions that need the range. */
interface PendingRange {
  readonly subscriptions: Set<Subscription>;
  readonly filter: FeedFilter;
  /**
   * True for the first replay of a subscription; false for batches that the buffer dropped and the replay reads again.
   */
  readonly isFirstReplay: boolean;
  /** Last journal position of the range. The event bus delivers the batches after it. */
  readonly upTo: number;
  after: Cursor;
}

/** Maximum number of batches in the first journal read of a replay. */
const FIRST_PAGE = 4;
/**
 * If a journal read returns more events than this number, the next read requests half as many batches. A batch may
 * contain hundreds of events, so reads of many large batches would use too much memory.
 */
const EVENTS_IN_PAGE = 512;

/** Number of buffered batches to send before the replay waits until the client can accept more. */
const CHUNK = 64;

/**
 * Sends the past events of the journal to one client and continues with live events. No subscription has gaps or
 * duplicates. A replay ends at the position that the event bus had reached when the replay started. Later batches of
 * the bus are buffered and sent after the replay. If the buffer overflows, its batches are dropped and read from the
 * journal later, so that a slow client uses bounded memory.
 */
export class Replay {
  private readonly subscriptions = new Set<Subscription>();
  private readonly pendingRanges: PendingRange[] = [];
  private buffer: Batch[] = [];
  /**
   * Position of the first dropped batch; undefined if the buffer has not overflowed. All batches after this position
   * are dropped, too.
   */
  private droppedFrom: number | undefined;
  private working = false;
  private closed = false;

  constructor(
    private readonly source: ReplaySource,
    private readonly sink: FeedSink,
    private readonly owner: ReplayOwner,
    private readonly limits: ReplayLimits,
  ) {}

  /**
   * Adds subscriptions and replays their past events in common reads. The client must already be registered with the
   * event bus. Otherwise, batches between the replay and the registration would be missed.
   */
  add(first: Subscription, ...others: readonly Subscription[]): void {
    const subscriptions = [first, ...others];
    for (const subscription of subscriptions) this.subscriptions.add(subscription);
    this.pendingRanges.push({
      subscriptions: new Set(subscriptions),
      filter: others.length === 0 ? first.feedFilter : ofProjects(subscriptions),
      isFirstReplay: true,
      upTo: this.source.tip,
      after: subscriptions.map(({ seen }) => seen).reduce(earlier),
    });
    if (this.working) return;
    this.working = true;
    this.work().catch((error: unknown) => {
      // After a disconnect, the error is ignored, because no client could receive it.
      if (!this.closed) this.sink.failed(error);
    });
  }

  remove(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    for (const range of this.pendingRanges) range.subscriptions.delete(subscription);
  }

  /** Accepts a live batch from the event bus. During a replay, the batch is buffered instead of sent. */
  offer(batch: Batch): void {
    if (!this.working) this.deliver(batch, this.subscriptions);
    else if (this.droppedFrom === undefined && this.buffer.push(batch) > this.limits.bufferSize) {
      this.droppedFrom = this.buffer[0]?.position;
      this.buffer = [];
    }
  }

  close(): void {
    this.closed = true;
    this.buffer = [];
    this.subscriptions.clear();
    // Clears the subscriptions of each range, so that a journal read in progress sends nothing when it completes.
    for (const range of this.pendingRanges) range.subscriptions.clear();
    this.pendingRanges.length = 0;
  }

  private async work(): Promise<void> {
    while (!this.closed) {
      const range = this.pendingRanges[0];
      if (range !== undefined) {
        await this.read(range);
        if (this.pendingRanges[0] === range) this.pendingRanges.shift();
      } else if (this.droppedFrom !== undefined) {
        this.readAgain(this.droppedFrom);
      } else if (this.buffer.length > 0) {
        for (const batch of this.buffer.splice(0, CHUNK)) this.deliver(batch, this.subscriptions);
        await this.sink.drained();
      } else {
        this.working = false;
        this.owner.replaysCompleted();
        return;
      }
    }
  }

  private async read(range: PendingRange): Promise<void> {
    const { pageSize } = this.limits;
    let limit = Math.min(FIRST_PAGE, pageSize);
    while (range.subscriptions.size > 0 && isBefore(range.after, range.upTo)) {
      const { batches, hasMore } = await this.source.feed(range.filter, range.after, limit, range.upTo);
      for (const batch of batches) this.deliver(batch, range.subscriptions);
      const last = batches.at(-1);
      if (last !== undefined) {
        range.after = { position: last.position, index: null };
        for (const subscription of range.subscriptions) subscription.advance(last.position);
      }
      if (!hasMore) break;
      // The number of batches per read is only halved or doubled. Each number needs its own prepared SQL statement, so
      // few different numbers keep the number of statements small.
      limit = eventsOf(batches) > EVENTS_IN_PAGE ? Math.max(1, limit >> 1) : Math.min(limit * 2, pageSize);
      await this.sink.drained();
    }
    for (const subscription of range.subscriptions) {
      subscription.advance(range.upTo);
      if (range.isFirstReplay) this.owner.caughtUp(subscription);
    }
  }

  /** Schedules a journal read of the dropped batches. Live batches that arrive afterwards are buffered again. */
  private readAgain(from: number): void {
    this.droppedFrom = undefined;
    this.pendingRanges.push({
      subscriptions: new Set(this.subscriptions),
      filter: ofProjects([...this.subscriptions]),
      isFirstReplay: false,
      upTo: this.source.tip,
      after: { position: from - 1, index: null },
    });
  }

  private deliver(batch: Batch, subscriptions: ReadonlySet<Subscription>): void {
    const covering: Subscription[] = [];
    for (const subscription of subscriptions) if (subscription.covers(batch)) covering.push(subscription);
    if (covering.length === 0) return;
    const visible = visibleBatch(batch, this.owner.principal);
    for (let index = 0; index < batch.events.length; index += 1)
      if (covering.some((subscription) => subscription.wants(batch, index))) this.sink.event(visible, index);
  }
}

/**
 * Returns a filter for the projects of all subscriptions. The filter may match more events than the subscriptions
 * contain.
 */
function ofProjects(subscriptions: readonly Subscription[]): FeedFilter {
  return { projectIds: [...new Set(subscriptions.flatMap(({ projectIds }) => projectIds))] };
}

function earlier(one: Cursor, other: Cursor): Cursor {
  return isAfter(one, other.position, other.index ?? Infinity) ? one : other;
}

/**
 * Whether the journal may contain events after the cursor, up to position `upTo`. A cursor with an index points into a
 * batch, so later events of the same batch may follow.
 */
function isBefore({ position, index }: Cursor, upTo: number): boolean {
  return index === null ? position < upTo : position <= upTo;
}

function eventsOf(page: readonly Batch[]): number {
  return page.reduce((sum, { events }) => sum + events.length, 0);
}

/**
 * Whether a client can resume from a cursor. `expired` means that retention deleted events after the cursor. `unknown`
 * means that the cursor is newer than the journal.
 */
export type CursorStatus = 'usable' | 'expired' | 'unknown';

/**
 * Checks whether a client can resume from a cursor. A cursor at position 0 is always usable, because position 0 stands
 * for the oldest stored event.
 */
export function cursorStatus(
  { position, index }: Cursor,
  { floor, oldest, newest }: JournalBounds,
): CursorStatus {
  if (position === START.position) return 'usable';
  if (position > newest) return 'unknown';
  // True if retention may have deleted the rest of a batch of which the client received only the first events.
  const isCut = index !== null && position <= floor;
  return isCut || position + 1 < oldest ? 'expired' : 'usable';
}
