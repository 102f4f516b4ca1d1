import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../access/index.js';
import { type Cursor, decodeCursor, type PayloadField, START } from '../journal/index.js';
import { holdOpen } from '../http/index.js';
import { ValidationError } from '../errors/index.js';
import { ProjectsService } from '../projects/index.js';
import { EventAccess } from './event-access.js';
import { EventPages } from './event-pages.js';
import { EventStreams } from './event-streams.js';
import type { EventsQuery, ExecutionEventsQuery, FeedQuery } from './events.dto.js';
import { Feeds } from './feeds.js';
import type { EventFilter } from './wire.js';

/** An HTTP request for events. The `Accept` header selects a JSON response or a stream of server-sent events. */
export interface Exchange {
  readonly principal: Principal;
  readonly request: Request;
  readonly response: Response;
}

/** Responds to HTTP requests for events. The JSON of each event has the same bytes as in messages of `/ws`. */
@Injectable()
export class EventAnswers {
  constructor(
    private readonly access: EventAccess,
    private readonly projects: ProjectsService,
    private readonly pages: EventPages,
    private readonly streams: EventStreams,
    private readonly feeds: Feeds,
  ) {}

  /**
   * @throws NotFoundError if the execution does not exist
   * @throws ProjectOutOfReachError if the caller may not read the project of the execution
   */
  async execution(
    exchange: Exchange,
    id: string,
    { after, offset, limit }: ExecutionEventsQuery,
  ): Promise<void> {
    const { principal, request, response } = exchange;
    const { projectId, lastSequence, isFinal } = await this.access.execution(principal, id);
    if (!wantsStream(request)) {
      const texts = await this.pages.ofExecution(principal, id, after + offset, limit);
      const total = Math.max(0, lastSequence - after);
      sendList(response, texts, { total, limit, offset, has_more: offset + texts.length < total });
      return;
    }
    const cursor = lastEventId(request);
    const filter = { executionId: id };
    if (isFinal && (await this.hasReceivedAll(principal, projectId, filter, cursor, after >= lastSequence))) {
      // Status 204 stops the browser's `EventSource`, which reconnects after any other end of a stream.
      response.status(204).end();
      return;
    }
    holdOpen(request);
    const fromSequence = after + 1;
    await this.streams.serve(principal, response, { filter, projectId, after: cursor, fromSequence });
  }

  /**
   * @throws NotFoundError if the session does not exist
   * @throws ProjectOutOfReachError if the caller may not read the project of the session
   */
  async session(exchange: Exchange, id: string, query: FeedQuery): Promise<void> {
    const { projectId } = await this.access.session(exchange.principal, id);
    await this.feed(exchange, { sessionId: id, ...typesOf(query) }, [projectId], query);
  }

  async everything(exchange: Exchange, query: EventsQuery): Promise<void> {
    const filter: EventFilter = {
      ...(query.execution_id !== undefined && { executionId: query.execution_id.toLowerCase() }),
      ...(query.workflow_id !== undefined && { workflowId: query.workflow_id.toLowerCase() }),
      ...(query.session_id !== undefined && { sessionId: query.session_id.toLowerCase() }),
      ...typesOf(query),
    };
    const projects = await this.projects.reachable(exchange.principal);
    await this.feed(
      exchange,
      filter,
      projects.map(({ id }) => id),
      query,
    );
  }

  /**
   * Responds with a long value of an event.
   * @throws NotFoundError if the execution or the value does not exist
   * @throws ProjectOutOfReachError if the caller may not read the project of the execution
   */
  async payload(
    principal: Principal,
    response: Response,
    id: string,
    sequence: number,
    field: PayloadField,
  ): Promise<void> {
    await this.access.execution(principal, id);
    await sendPieces(response.type('application/json'), this.pages.payload(id, sequence, field));
  }

  private async feed(
    { principal, request, response }: Exchange,
    filter: EventFilter,
    projectIds: readonly string[],
    query: FeedQuery,
  ): Promise<void> {
    const after = lastEventId(request) ?? cursorOf('after', query.after);
    if (wantsStream(request)) {
      holdOpen(request);
      const [only] = projectIds;
      const ofSession =
        filter.sessionId !== undefined && only !== undefined && projectIds.length === 1
          ? { projectId: only }
          : {};
      await this.streams.serve(principal, response, { filter, ...ofSession, after });
      return;
    }
    const refused = after === undefined ? undefined : await this.feeds.refusal(after);
    if (refused !== undefined)
      throw ValidationError.of(
        'after',
        refused.reason,
        `is not a cursor of a retained event; the oldest one is "${refused.oldestCursor}"`,
      );
    const { texts, hasMore, nextCursor } = await this.pages.ofFeed(
      principal,
      filter,
      projectIds,
      after ?? START,
      query.limit,
    );
    sendList(response, texts, { limit: query.limit, has_more: hasMore, next_cursor: nextCursor });
  }

  private async hasReceivedAll(
    principal: Principal,
    projectId: string,
    filter: EventFilter,
    cursor: Cursor | undefined,
    bySequence: boolean,
  ): Promise<boolean> {
    if (cursor === undefined) return bySequence;
    const { texts } = await this.pages.ofFeed(principal, filter, [projectId], cursor, 1);
    return texts.length === 0;
  }
}

function wantsStream(request: Request): boolean {
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}

/**
 * Returns the cursor in the request header `Last-Event-ID`; undefined if the header is absent or the client requests
 * JSON.
 * @throws ValidationError if the text is not a cursor of this service.
 */
function lastEventId(request: Request): Cursor | undefined {
  return wantsStream(request) ? cursorOf('Last-Event-ID', request.get('Last-Event-ID')) : undefined;
}

function cursorOf(field: string, text: string | undefined): Cursor | undefined {
  if (text === undefined || text === '') return undefined;
  const cursor = decodeCursor(text);
  if (cursor === undefined)
    throw ValidationError.of(field, 'malformed_cursor', 'must be the cursor of an event');
  return cursor;
}

function typesOf({ types }: FeedQuery): Pick<EventFilter, 'types'> {
  return types === undefined ? {} : { types: new Set(types) };
}

/**
 * Streams a long text. Two pieces are read before the response starts, so that an early failure can still become an
 * error response.
 */
async function sendPieces(response: Response, pieces: AsyncGenerator<string, void>): Promise<void> {
  const first = await pieces.next();
  const second = await pieces.next();
  if (second.done === true) {
    response.send(first.value);
    return;
  }
  const all = async function* (): AsyncGenerator<string> {
    yield first.value ?? '';
    yield second.value ?? '';
    yield* pieces;
  };
  try {
    await pipeline(Readable.from(all(), { objectMode: false }), response);
  } catch {
    // If the client disconnects or the database fails, the status is already sent, so the response can only be aborted.
    response.destroy();
  }
}

function sendList(response: Response, texts: readonly string[], pagination: object): void {
  response
    .type('application/json')
    .send(`{"data":[${texts.join()}],"pagination":${JSON.stringify(pagination)}}`);
}
