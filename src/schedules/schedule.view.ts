import { ApiProperty } from '@nestjs/swagger';
import type { Json, JsonObject } from '../expressions/index.js';
import { isoTime } from '../platform/index.js';
import type { Backfill } from './backfill.js';
import {
  type Fire,
  FIRE_OUTCOMES,
  type FireOutcome,
  type Overlap,
  OVERLAPS,
  type Schedule,
  SCHEDULE_STATUSES,
  type ScheduleStatus,
} from './schedule.js';

const ID_EXAMPLE = '0199a8c0-5555-7abc-8def-0123456789ab';

export class FireView {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-24T08:00:00.000Z' })
  scheduled_for: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-24T08:00:00.004Z' })
  fired_at: string;

  @ApiProperty({ enum: FIRE_OUTCOMES, example: 'started' })
  outcome: FireOutcome;

  /** Reason why the start was skipped or failed; null if an execution started. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  reason: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  execution_id: string | null;
}

export class ScheduleView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  workflow_id: string;

  @ApiProperty({ type: 'string', example: 'Morning report' })
  name: string;

  @ApiProperty({ type: 'string', nullable: true, example: '0 9 * * MON-FRI' })
  cron: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  every_seconds: number | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  at: string | null;

  @ApiProperty({ type: 'string', example: 'Europe/Berlin' })
  time_zone: string;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: null })
  input: Json;

  @ApiProperty({ type: 'object', additionalProperties: true, example: {} })
  metadata: JsonObject;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 9, example: 5 })
  priority: number;

  @ApiProperty({ enum: OVERLAPS, example: 'skip' })
  overlap: Overlap;

  @ApiProperty({ type: 'integer', example: 3_600 })
  catch_up_seconds: number;

  @ApiProperty({ type: 'integer', example: 0 })
  jitter_seconds: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  starts_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  ends_at: string | null;

  @ApiProperty({ enum: SCHEDULE_STATUSES, example: 'active' })
  status: ScheduleStatus;

  /** The next scheduled time, without jitter; null if the schedule is paused or has ended. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-11-25T08:00:00.000Z' })
  next_at: string | null;

  @ApiProperty({ type: () => FireView, nullable: true })
  last_fire: FireView | null;

  @ApiProperty({ type: 'integer', example: 12 })
  fired_total: number;

  @ApiProperty({ type: 'integer', example: 0 })
  skipped_total: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

const BACKFILL_STATUSES = ['running', 'finished'] as const;

export class BackfillView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-01T00:00:00.000Z' })
  from: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-08T00:00:00.000Z' })
  to: string;

  @ApiProperty({ enum: OVERLAPS, example: 'allow' })
  overlap: Overlap;

  @ApiProperty({ enum: BACKFILL_STATUSES, example: 'running' })
  status: (typeof BACKFILL_STATUSES)[number];

  @ApiProperty({ type: 'integer', example: 7 })
  instants: number;

  /** Number of scheduled times that were handled, including those whose execution did not start. */
  @ApiProperty({ type: 'integer', example: 3 })
  done: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  finished_at: string | null;
}

/** Upcoming scheduled times, in order. */
export class InstantsView {
  @ApiProperty({ type: [String], format: 'date-time', example: ['2026-11-25T08:00:00.000Z'] })
  data: readonly string[];
}

export function backfillView(backfill: Backfill): BackfillView {
  return {
    id: backfill.id,
    from: backfill.since,
    to: backfill.until,
    overlap: backfill.overlap,
    status: backfill.finishedAt === null ? 'running' : 'finished',
    instants: backfill.instants,
    done: backfill.done,
    created_at: backfill.createdAt,
    finished_at: backfill.finishedAt,
  };
}

export function fireView({ scheduledFor, firedAt, outcome, reason, executionId }: Fire): FireView {
  return { scheduled_for: scheduledFor, fired_at: firedAt, outcome, reason, execution_id: executionId };
}

export function instantsView(instants: readonly number[]): InstantsView {
  return { data: instants.map(isoTime) };
}

export function scheduleView(schedule: Schedule): ScheduleView {
  return {
    id: schedule.id,
    project_id: schedule.projectId,
    workflow_id: schedule.workflowId,
    name: schedule.name,
    cron: schedule.cron,
    every_seconds: schedule.everySeconds,
    at: schedule.at,
    time_zone: schedule.timeZone,
    input: schedule.input,
    metadata: schedule.metadata,
    priority: schedule.priority,
    overlap: schedule.overlap,
    catch_up_seconds: schedule.catchUpSeconds,
    jitter_seconds: schedule.jitterSeconds,
    starts_at: schedule.startsAt,
    ends_at: schedule.endsAt,
    status: schedule.status,
    next_at: schedule.nextAt,
    last_fire: schedule.lastFire === null ? null : fireView(schedule.lastFire),
    fired_total: schedule.firedTotal,
    skipped_total: schedule.skippedTotal,
    created_at: schedule.createdAt,
    updated_at: schedule.updatedAt,
  };
}
