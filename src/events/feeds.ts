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
import { FeedReader, type FeedSink } from './feed-reader.js';
import { type ReplaySource, standingOf } from './replay.js';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';

/** Why a cursor cannot be used, and the oldest usable cursor. */
export interface Refusal {
  readonly reason: 'cursor_expired' | 'cursor_unknown';
  readonly oldestCursor: string;
}

/** Start of a replay. */
export interface ReplayStart {
  readonly after: Cursor;
  /** Set if the requested cursor cannot be used; the feed then starts with new events. */
  readonly refused?: Refusal;
}

/** Opens readers of the feed. */
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

  /** @param wanted the requested cursor; undefined to start with new events */
  async beginning(wanted: Cursor | undefined): Promise<ReplayStart> {
    const bounds = await this.journal.bounds();
    // Committed events count as past even if their notification has not arrived yet. So wait until the bus has
    // published them.
    if (wanted !== undefined) await this.tail.reach(bounds.newest);
    const refused = wanted === undefined ? undefined : refusalOf(wanted, bounds);
    if (wanted !== undefined && refused === undefined) return { after: wanted };
    const now = { position: Math.max(bounds.newest, this.bus.position), index: null };
    return { after: now, ...(refused !== undefined && { refused }) };
  }

  /** Why a cursor cannot be used, or undefined. For journal reads that do not wait for the bus. */
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
  const standing = standingOf(cursor, bounds);
  if (standing === 'usable') return undefined;
  return {
    reason: standing === 'expired' ? 'cursor_expired' : 'cursor_unknown',
    oldestCursor: encodeCursor({ position: Math.max(0, bounds.oldest - 1), index: null }),
  };
}
