import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import {
  type Batch,
  type Cursor,
  encodeCursor,
  envelopeText,
  type FeedFilter,
  JournalRepository,
  lastSequence,
  PayloadRepository,
  type PayloadField,
} from '../journal/index.js';
import { NotFoundError } from '../errors/index.js';
import { Subscription } from './subscription.js';
import { visibleBatch } from './visible-batch.js';
import type { EventFilter } from './wire.js';

/** One page of events as JSON texts, and the cursor at which the next page starts. */
export interface FeedPage {
  readonly texts: readonly string[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/** Maximum number of batches per journal read. */
const READ_SIZE = 200;
/**
 * Maximum number of journal reads for one page. If few events match the filter, a page may contain fewer events than
 * requested although more pages follow.
 */
const MAX_READS = 20;

/**
 * Maximum number of batches per journal read of a single execution. All batches of a read are in memory at once, and a
 * batch may be large.
 */
const SMALL_READ_SIZE = 8;
/** Size of a page in characters at which the page ends, even if it contains fewer events than requested. */
const MAX_PAGE_SIZE = 4 * 1024 * 1024;

@Injectable()
export class EventPages {
  constructor(
    private readonly journal: JournalRepository,
    private readonly payloads: PayloadRepository,
  ) {}

  /** Returns a page of the events of one execution, after a given sequence, as JSON texts. */
  async ofExecution(
    principal: Principal,
    executionId: string,
    afterSequence: number,
    limit: number,
  ): Promise<readonly string[]> {
    const texts: string[] = [];
    let size = 0;
    for (let after = afterSequence; ;) {
      const { batches, hasMore } = await this.journal.ofExecution(executionId, after, SMALL_READ_SIZE);
      const last = batches.at(-1);
      if (last === undefined) return texts;
      for (const batch of batches.map((one) => visibleBatch(one, principal))) {
        const first = Math.max(0, after + 1 - batch.firstSequence);
        for (let index = first; index < batch.events.length; index += 1) {
          if (texts.length === limit || size >= MAX_PAGE_SIZE) return texts;
          const text = envelopeText(batch, index);
          texts.push(text);
          size += text.length;
        }
      }
      if (!hasMore) return texts;
      after = lastSequence(last);
    }
  }

  async ofFeed(
    principal: Principal,
    filter: EventFilter,
    projectIds: readonly string[],
    after: Cursor,
    limit: number,
  ): Promise<FeedPage> {
    const subscription = new Subscription(null, filter, projectIds, after);
    const page = new PageBuilder(subscription, limit);
    for (let read = 0; read < MAX_READS; read += 1) {
      const feedFilter: FeedFilter = subscription.feedFilter;
      const { batches, hasMore } = await this.journal.feed(feedFilter, page.cursor, READ_SIZE);
      for (const batch of batches) if (!page.add(visibleBatch(batch, principal))) return page.done(true);
      if (!hasMore) return page.done(false);
    }
    return page.done(true);
  }

  /**
   * Yields one value of an event as JSON text, in pieces. Long values are stored in a separate table, other values in
   * the event itself.
   * @throws NotFoundError if the event has no value with this name.
   */
  async *payload(executionId: string, sequence: number, field: PayloadField): AsyncGenerator<string, void> {
    let isLong = false;
    for await (const piece of this.payloads.pieces(executionId, sequence, field)) {
      isLong = true;
      yield piece;
    }
    if (isLong) return;
    const [batch] = (await this.journal.ofExecution(executionId, sequence - 1, 1)).batches;
    const data = batch?.events[sequence - batch.firstSequence]?.data as
      Readonly<Record<string, unknown>> | undefined;
    const short = data?.[field];
    if (short === undefined) throw new NotFoundError('payload');
    yield JSON.stringify(short);
  }
}

/** Collects events until a page is full, and computes the cursor of the next page. */
class PageBuilder {
  cursor: Cursor;
  private readonly texts: string[] = [];
  private size = 0;

  constructor(
    private readonly subscription: Subscription,
    private readonly limit: number,
  ) {
    this.cursor = subscription.seen;
  }

  /** Adds the events of a batch to the page. Returns false if the page becomes full before the end of the batch. */
  add(batch: Batch): boolean {
    for (let index = 0; index < batch.events.length; index += 1) {
      if (this.subscription.wants(batch, index)) {
        if (this.texts.length === this.limit || this.size >= MAX_PAGE_SIZE) return false;
        const text = envelopeText(batch, index);
        this.texts.push(text);
        this.size += text.length;
      }
      this.cursor = { position: batch.position, index };
    }
    this.cursor = { position: batch.position, index: null };
    return true;
  }

  done(hasMore: boolean): FeedPage {
    return { texts: this.texts, nextCursor: encodeCursor(this.cursor), hasMore };
  }
}
