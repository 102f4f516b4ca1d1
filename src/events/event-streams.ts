import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { isFinalEventType } from '../execution-events/index.js';
import { type Cursor, type Batch, START } from '../journal/index.js';
import { RateLimitError } from '../errors/index.js';
import { EventStream } from './event-stream.js';
import type { FeedReader } from './feed-reader.js';
import { Feeds } from './feeds.js';
import { OpenStreams, TooManyStreamsError } from './open-streams.js';
import { StreamFigures } from './stream-figures.js';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';
import type { EventFilter } from './wire.js';

export interface StreamRequest {
  readonly filter: EventFilter;
  /** Project of the execution, workflow or session in the filter; undefined if the filter names no such resource. */
  readonly projectId?: string;
  /** Cursor after which the stream starts; undefined if the stream contains only new events. */
  readonly after: Cursor | undefined;
  /** Sequence of the first event to send. Allowed only for the stream of a single execution. */
  readonly fromSequence?: number;
}

/** Value of the `Retry-After` header in seconds, when a stream is refused. */
const RETRY_SECONDS = 5;

@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(EventStreams.name);
  private readonly open = new Set<EventStream>();
  private stopping = false;

  constructor(
    private readonly feeds: Feeds,
    private readonly streams: OpenStreams,
    private readonly figures: StreamFigures,
    @Inject(SOCKET_LIMITS) private readonly limits: SocketLimits,
  ) {}

  /**
   * Sends events as a stream of server-sent events. A stream of one execution ends after the final event of that
   * execution.
   * @throws RateLimitError if the key already has the maximum number of open streams.
   */
  async serve(principal: Principal, response: ServerResponse, request: StreamRequest): Promise<void> {
    const start = await this.feeds.replayStart(
      request.after ?? (request.fromSequence === undefined ? undefined : START),
    );
    // The response does not report a close again, so a stream for a client that is already gone would stay open.
    if (response.destroyed) return;
    let reader: FeedReader | undefined;
    const leave = this.enter(principal, () => stream.end());
    const stream = this.stream(response, request);
    // No notification reports a sign-out. The stream of a signed-in user therefore ends after `signInStreamMs`, and the
    // browser is authenticated again when it reconnects.
    const end = setTimeout(() => stream.end(), this.limits.signInStreamMs).unref();
    if (principal.keyId !== null) clearTimeout(end);
    response.on('close', () => {
      clearTimeout(end);
      this.open.delete(stream);
      reader?.close();
      leave();
    });
    this.open.add(stream);
    const { refused } = start;
    if (refused !== undefined)
      stream.sendControlEvent('resume.failed', {
        reason: refused.reason,
        oldest_cursor: refused.oldestCursor,
      });
    await this.feeds.open(principal, stream, (made) => {
      reader = made;
      if (!response.destroyed) made.add(null, request.filter, start.after, request.projectId);
    });
    if (this.stopping) stream.end();
  }

  /** Ends all streams at shutdown. The browsers then reconnect with their last event id. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
    for (const stream of this.open) stream.end();
  }

  private stream(response: ServerResponse, { filter, fromSequence = 1 }: StreamRequest): EventStream {
    return new EventStream(response, {
      heartbeatMs: this.limits.heartbeatMs,
      sendBufferBytes: this.limits.sendBufferBytes,
      fromSequence,
      endsWith: (batch, index) => filter.executionId !== undefined && isFinal(batch, index),
      onEvent: () => (this.figures.delivered.sse += 1),
      onSlow: () => (this.figures.slowReadersClosed += 1),
      report: (error) => this.logger.error({ err: error }, 'An event stream failed.'),
    });
  }

  private enter(principal: Principal, end: () => void): () => void {
    try {
      return this.streams.enter(principal, 'sse', end);
    } catch (error) {
      throw error instanceof TooManyStreamsError
        ? new RateLimitError(RETRY_SECONDS, {}, 'too_many_streams')
        : error;
    }
  }
}

function isFinal(batch: Batch, index: number): boolean {
  const type = batch.events[index]?.type;
  return type !== undefined && isFinalEventType(type);
}
