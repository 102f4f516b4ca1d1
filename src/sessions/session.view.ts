import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../expressions/index.js';
import {
  SESSION_CONCURRENCIES,
  SESSION_STATUSES,
  type Session,
  type SessionConcurrency,
  type SessionStatus,
  statusAt,
} from './session.js';
import type { ExecutionCounts } from './session-executions.js';

const ID_EXAMPLE = '0199a8c0-3333-7abc-8def-0123456789ab';

class ExecutionCountsView {
  @ApiProperty({ type: 'integer', example: 3 })
  total: number;

  /** Number of unfinished executions, which are running, waiting, queued or paused. */
  @ApiProperty({ type: 'integer', example: 1 })
  running: number;

  /** Number of executions that failed or timed out. */
  @ApiProperty({ type: 'integer', example: 0 })
  failed: number;
}

export class SessionView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'order-4711' })
  external_id: string | null;

  @ApiProperty({ type: 'string', example: 'Order 4711' })
  name: string;

  @ApiProperty({ enum: SESSION_STATUSES, example: 'active' })
  status: SessionStatus;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { customer: 'ada' } })
  metadata: JsonObject;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { paid: false } })
  state: JsonObject;

  /** Version of the state, from 1. Every change of the state increments the version. */
  @ApiProperty({ type: 'integer', example: 1 })
  state_version: number;

  @ApiProperty({ enum: SESSION_CONCURRENCIES, example: 'parallel' })
  concurrency: SessionConcurrency;

  @ApiProperty({ type: () => ExecutionCountsView })
  execution_counts: ExecutionCounts;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;

  /** Time of the last change of the session, or of the last start of an execution in the session. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  last_activity_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  expires_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  closed_at: string | null;
}

/** @param now epoch milliseconds; determines whether the session has expired */
export function sessionView(session: Session, counts: ExecutionCounts, now: number): SessionView {
  return {
    id: session.id,
    project_id: session.projectId,
    external_id: session.externalId,
    name: session.name,
    status: statusAt(session, now),
    metadata: session.metadata,
    state: session.state,
    state_version: session.stateVersion,
    concurrency: session.concurrency,
    execution_counts: counts,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    last_activity_at: session.lastActivityAt,
    expires_at: session.expiresAt,
    closed_at: session.closedAt,
  };
}
