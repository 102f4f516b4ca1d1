import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../execution-events/index.js';
import { OptionalId, OptionalInteger, OptionalText } from '../fields/index.js';
import type { Envelope } from '../journal/index.js';
import { Pagination } from '../pages/index.js';

const EXAMPLE_ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;
const MAX_SEQUENCE = 2_147_483_647;
/** Maximum length of a cursor in a query, in characters. */
const MAX_CURSOR = 64;

class LimitQuery {
  @OptionalInteger({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, example: DEFAULT_LIMIT })
  limit: number = DEFAULT_LIMIT;
}

/** Documents the query parameter `view_token`. The bearer guard reads the parameter, and handlers ignore it. */
const VIEW_TOKEN = {
  description:
    'View token that replaces the API key. Only event streams accept it, because the `EventSource` of browsers cannot send an `Authorization` header.',
  example: 'wfv_WyJleGVjdXRpb24iXQ.c2lnbmF0dXJl',
} as const;

/** Query parameters for the events of an execution. */
export class ExecutionEventsQuery extends LimitQuery {
  @OptionalText(VIEW_TOKEN)
  view_token?: string;

  /** Return only events whose sequence is greater than this number. */
  @OptionalInteger({ minimum: 0, maximum: MAX_SEQUENCE, default: 0, example: 7 })
  after: number = 0;

  /** Number of events to skip before the page. */
  @OptionalInteger({ minimum: 0, maximum: 10_000, default: 0, example: 0 })
  offset: number = 0;
}

/** Query parameters for a feed of events. */
export class FeedQuery extends LimitQuery {
  /** Return only events after this cursor: the `cursor` of an event, or `0` for all events. */
  @OptionalText({ maxLength: MAX_CURSOR, example: '2s.1' })
  after?: string;

  @ApiPropertyOptional({
    enum: EVENT_TYPES,
    isArray: true,
    description: 'Return only events of these types.',
    example: ['workflow.completed'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(EVENT_TYPES.length)
  @IsIn(EVENT_TYPES, { each: true })
  types?: EventType[];
}

/** Query parameters for the events of a session. */
export class SessionEventsQuery extends FeedQuery {
  @OptionalText(VIEW_TOKEN)
  view_token?: string;
}

/** Query parameters for all events that the key may read. */
export class EventsQuery extends FeedQuery {
  /** Return only events of this execution. */
  @OptionalId({ example: EXAMPLE_ID })
  execution_id?: string;

  /** Return only events of this workflow. */
  @OptionalId({ example: EXAMPLE_ID })
  workflow_id?: string;

  /** Return only events of this session. */
  @OptionalId({ example: EXAMPLE_ID })
  session_id?: string;
}

/** An event. */
export class EventView implements Envelope {
  @ApiProperty({ type: String, format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ enum: EVENT_TYPES, example: 'workflow.node.complete' })
  type: EventType;

  @ApiProperty({
    type: 'integer',
    description: 'Number of the event within its execution, from 1 without gaps.',
    example: 3,
  })
  sequence: number;

  @ApiProperty({
    type: String,
    description: 'Opaque position of this event. To continue after this event, send the value as `after`.',
    example: '2s.1',
  })
  cursor: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-21T10:15:30.123Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'uuid', example: EXAMPLE_ID })
  project_id: string;

  @ApiProperty({ type: String, format: 'uuid', example: EXAMPLE_ID })
  workflow_id: string;

  @ApiProperty({ type: String, format: 'uuid', example: EXAMPLE_ID })
  execution_id: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null })
  session_id: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'fetch' })
  node_id: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  attempt: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: {
      node_id: 'fetch',
      node_type: 'http',
      status: 'completed',
      output: { status: 200 },
      duration_ms: 12,
      cached: false,
      progress: { completed: 1, total: 2 },
    },
  })
  data: Envelope['data'];
}

/** A page of the events of one execution. */
export class ExecutionEventsView {
  @ApiProperty({ type: [EventView] })
  data: EventView[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

/** Pagination of a list of events. The list has no total, because new events arrive continuously. */
export class FeedPagination {
  @ApiProperty({ type: 'integer', example: DEFAULT_LIMIT })
  limit: number;

  @ApiProperty({ type: Boolean, description: 'True if more events exist after this page.', example: false })
  has_more: boolean;

  @ApiProperty({ type: String, description: 'Cursor of the next page. Send it as `after`.', example: '2s.1' })
  next_cursor: string;
}

/** A page of the events of many executions. */
export class FeedView {
  @ApiProperty({ type: [EventView] })
  data: EventView[];

  @ApiProperty({ type: FeedPagination })
  pagination: FeedPagination;
}
