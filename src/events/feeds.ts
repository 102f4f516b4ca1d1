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

/** Why a cursor cannot be used. */
export interface Refusal {
  readonly reason: 'cursor_expired' | 'cursor_unknown';
  readonly oldestCursor: string;
}

/** Where a reading begins. */
export interface Beginning {
  readonly after: Cursor;
  /** Set where the cursor that was asked for cannot be used; then the reading begins now. */
  readonly refused?: Refusal;
}

/** Opens readings of the feed. */
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

  /** @param wanted where the client wants to begin; undefined for now */
  async beginning(wanted: Cursor | undefined): Promise<Beginning> {
    const bounds = await this.journal.bounds();
    // What was durable when it was asked for is told as the past, though this process may not have heard of it yet.
    if (wanted !== undefined) await this.tail.reach(bounds.newest);
    const refused = wanted === undefined ? undefined : refusalOf(wanted, bounds);
    if (wanted !== undefined && refused === undefined) return { after: wanted };
    const now = { position: Math.max(bounds.newest, this.bus.position), index: null };
    return { after: now, ...(refused !== undefined && { refused }) };
  }

  /** Why nothing can be read from a cursor on, if so; for who reads the journal alone and waits for no bus. */
  async refusal(cursor: Cursor): Promise<Refusal | undefined> {
    return refusalOf(cursor, await this.journal.bounds());
  }

  /** @param begin adds the first subscription, at once */
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
