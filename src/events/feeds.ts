import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { type Cursor, encodeCursor, EventBus, JournalRepository, JournalTail } from '../journal/index.js';
import { FeedHub } from './feed-hub.js';
import { FeedReader, type FeedSink } from './feed-reader.js';
import { type ReplaySource, standingOf } from './replay.js';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';

/** Where a reading begins. */
export interface Beginning {
  readonly after: Cursor;
  /** Set where the cursor that was asked for cannot be used; then the reading begins now. */
  readonly refused?: { readonly reason: 'cursor_expired' | 'cursor_unknown'; readonly oldestCursor: string };
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
    const now = { position: Math.max(bounds.newest, this.bus.position), index: null };
    if (wanted === undefined) return { after: now };
    const standing = standingOf(wanted, bounds);
    if (standing === 'usable') return { after: wanted };
    const oldestCursor = encodeCursor({ position: Math.max(0, bounds.oldest - 1), index: null });
    return {
      after: now,
      refused: { reason: standing === 'expired' ? 'cursor_expired' : 'cursor_unknown', oldestCursor },
    };
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
