import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import {
  type Cursor,
  encodeCursor,
  EventBus,
  type JournalBounds,
  JournalRepository,
  JournalTail,
} from '../journal/index.js';
import { FeedHub } from './feed-hub.js';
import { FeedReader } from './feed-reader.js';
import { type FeedSink, type ReplaySource, cursorStatus } from './replay.js';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';

/** The reason why a cursor cannot be used, and the oldest cursor that a client can use instead. */
export interface Refusal {
  readonly reason: 'cursor_expired' | 'cursor_unknown';
  readonly oldestCursor: string;
}

/** Where a feed starts, computed from the cursor that the client requested. */
export interface ReplayStart {
  readonly after: Cursor;
  /** Present if the requested cursor cannot be used, so that the feed starts with new events instead. */
  readonly refused?: Refusal;
}

@Injectable()
export class Feeds {
  private readonly source: ReplaySource;

  constructor(
    private readonly hub: FeedHub,
    private readonly journal: JournalRepository,
    private readonly bus: EventBus,
    private readonly tail: JournalTail,
    @Inject(SOCKET_LIMITS) private readonly limits: SocketLimits,
  ) {
    this.source = {
      get tip() {
        return bus.position;
      },
      feed: (...reading) => journal.feed(...reading),
    };
  }

  /**
   * Checks the requested cursor and returns the cursor after which a feed starts.
   * @param requested the requested cursor; undefined to start with new events
   */
  async replayStart(requested: Cursor | undefined): Promise<ReplayStart> {
    const bounds = await this.journal.bounds();
    // The event bus may lag behind the journal. Without waiting for the bus, the feed would send events as new that
    // were committed before the client connected.
    await this.tail.reach(bounds.newest);
    const refused = requested === undefined ? undefined : refusalOf(requested, bounds);
    if (requested !== undefined && refused === undefined) return { after: requested };
    const now = { position: this.bus.position, index: null };
    return { after: now, ...(refused !== undefined && { refused }) };
  }

  /**
   * Returns the reason why a cursor cannot be used; undefined if the cursor is usable. Does not wait until the event
   * bus has caught up with the journal.
   */
  async refusal(cursor: Cursor): Promise<Refusal | undefined> {
    return refusalOf(cursor, await this.journal.bounds());
  }

  /** @param begin must add the first subscription synchronously */
  open(principal: Principal, sink: FeedSink, begin: (reader: FeedReader) => void): Promise<FeedReader> {
    return this.hub.connect(principal, (reach) => {
      const reader = new FeedReader(principal, new Set(reach), this.hub, this.source, sink, this.limits);
      begin(reader);
      return reader;
    });
  }
}

function refusalOf(cursor: Cursor, bounds: JournalBounds): Refusal | undefined {
  const status = cursorStatus(cursor, bounds);
  if (status === 'usable') return undefined;
  return {
    reason: status === 'expired' ? 'cursor_expired' : 'cursor_unknown',
    oldestCursor: encodeCursor({ position: Math.max(0, bounds.oldest - 1), index: null }),
  };
}
