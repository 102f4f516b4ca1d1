import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, IsOptional, IsRFC3339 } from 'class-validator';
import type { JsonObject } from '../expressions/index.js';
import {
  OptionalChoice,
  OptionalId,
  OptionalInteger,
  OptionalObject,
  OptionalText,
} from '../fields/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import { SearchedPageQuery } from '../pages/index.js';
import {
  SESSION_CONCURRENCIES,
  SESSION_STATUSES,
  type SessionConcurrency,
  type SessionStatus,
} from './session.js';

/** Longest lifetime of a session in seconds: ten years. */
const MAX_LIFETIME_SECONDS = 315_360_000;

/** The fields of a session that a client may change. */
export class ChangeSessionBody {
  @OptionalText({ minLength: 1, maxLength: 255, example: 'Order 4711' })
  name?: string;

  /**
   * Metadata of the session, at most 64 KiB of JSON. A change is a merge patch (RFC 7396): a field with the value null
   * is removed.
   */
  @OptionalObject({ nullable: true, example: { customer: 'ada' } })
  metadata?: JsonObject | null;

  /**
   * State that executions read as `session.state`, at most 64 KiB of JSON. A change is a merge patch (RFC 7396): a
   * field with the value null is removed.
   */
  @OptionalObject({ nullable: true, example: { paid: false } })
  state?: JsonObject | null;

  @OptionalChoice({ enum: SESSION_CONCURRENCIES, default: 'parallel' })
  concurrency?: SessionConcurrency;

  /**
   * Time at which the session expires. The time must be in the future and have a time zone. With null, the session
   * never expires.
   */
  // Not `OptionalInstant`: the API reports `is_iso8601` here.
  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2036-11-21T12:00:00.000Z',
  })
  @IsOptional()
  @IsRFC3339()
  @IsISO8601({ strict: true })
  expires_at?: string | null;

  /** Seconds from now until the session expires. A request may contain either this field or `expires_at`. */
  @OptionalInteger({ minimum: 1, maximum: MAX_LIFETIME_SECONDS })
  expires_in_seconds?: number;
}

@BodyMayBeAbsent()
export class CreateSessionBody extends ChangeSessionBody {
  /**
   * Your own id for the session, such as an order number. If the project already has an open session with this id, the
   * request returns that session.
   */
  @OptionalText({ minLength: 1, maxLength: 255, example: 'order-4711' })
  external_id?: string;

  /**
   * Project of the new session. Default: the project of the API key. If the key has no project, the default is the
   * oldest project of the team.
   */
  @OptionalId()
  project_id?: string;
}

export class ListSessionsQuery extends SearchedPageQuery {
  @OptionalChoice({ enum: SESSION_STATUSES })
  status?: SessionStatus;

  @OptionalId()
  project_id?: string;

  @OptionalText({ minLength: 1, maxLength: 255 })
  external_id?: string;
}

export class DeleteSessionQuery {
  /**
   * With `true`, the deletion cancels unfinished executions of the session, which requires `executions:write`.
   * Otherwise, unfinished executions prevent the deletion.
   */
  @OptionalChoice({ enum: ['true', 'false'], default: 'false' })
  cancel?: 'true' | 'false';
}
