import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';
import {
  Id,
  Instant,
  OptionalChoice,
  OptionalInstant,
  OptionalInteger,
  OptionalObject,
  OptionalText,
  Text,
} from '../fields/index.js';
import { WorkflowItemsQuery } from '../workflows/index.js';
import { OVERLAPS, type Overlap, SCHEDULE_STATUSES, type ScheduleStatus } from './schedule.js';

const MAX_CRON_LENGTH = 255;
const MAX_ZONE_LENGTH = 64;
/** Maximum interval of a schedule in seconds: ten years. */
const MAX_EVERY_SECONDS = 315_360_000;
const MAX_CATCH_UP_SECONDS = 31_536_000;
const MAX_JITTER_SECONDS = 3_600;
const MAX_INSTANTS = 100;
const DEFAULT_INSTANTS = 5;

export class CreateScheduleBody {
  @Id()
  workflow_id: string;

  @OptionalText({ minLength: 1, maxLength: 255, example: 'Morning report' })
  name?: string;

  /**
   * Cron expression with five fields, or with six if seconds come first. Supports names, `L`, `#`, and aliases such
   * as `@daily`. Set exactly one of `cron`, `every_seconds` and `at`.
   */
  @OptionalText({ maxLength: MAX_CRON_LENGTH, nullable: true, example: '0 9 * * MON-FRI' })
  cron?: string | null;

  /**
   * Interval in seconds, counted from `starts_at`, or from 1970 if `starts_at` is absent. For example, 3600 fires on
   * the hour.
   */
  @OptionalInteger({ minimum: 1, maximum: MAX_EVERY_SECONDS, nullable: true })
  every_seconds?: number | null;

  /** Time at which the schedule fires once. */
  @OptionalInstant({ nullable: true })
  at?: string | null;

  /** IANA time zone in which `cron` is evaluated. */
  @OptionalText({ maxLength: MAX_ZONE_LENGTH, default: 'UTC', example: 'Europe/Berlin' })
  time_zone?: string;

  @ApiPropertyOptional({
    description: 'Any JSON that matches the input schema of the workflow.',
    nullable: true,
  })
  @Allow()
  input?: Json;

  /** Metadata of each execution that the schedule starts. */
  @OptionalObject()
  metadata?: JsonObject;

  /** Priority of each execution that the schedule starts: 9 is the highest, 0 the lowest. */
  @OptionalInteger({ minimum: 0, maximum: 9, default: 5 })
  priority?: number;

  /** What to do at a scheduled time if the execution of an earlier scheduled time has not ended. */
  @OptionalChoice({ enum: OVERLAPS, default: 'skip' })
  overlap?: Overlap;

  /** Maximum age in seconds of scheduled times that still fire after a downtime. Older scheduled times are skipped. */
  @OptionalInteger({ minimum: 0, maximum: MAX_CATCH_UP_SECONDS, default: 3_600 })
  catch_up_seconds?: number;

  /** Maximum delay in seconds after each scheduled time. The delay spreads load. */
  @OptionalInteger({ minimum: 0, maximum: MAX_JITTER_SECONDS, default: 0 })
  jitter_seconds?: number;

  @OptionalInstant({ nullable: true })
  starts_at?: string | null;

  @OptionalInstant({ nullable: true })
  ends_at?: string | null;
}

/**
 * Request body that changes a schedule. Omitted fields keep their values. Setting one of `cron`, `every_seconds` and
 * `at` clears the other two.
 */
export class ChangeScheduleBody extends OmitType(CreateScheduleBody, ['workflow_id']) {}

export class ListSchedulesQuery extends WorkflowItemsQuery {
  @OptionalChoice({ enum: SCHEDULE_STATUSES })
  status?: ScheduleStatus;
}

export class BackfillBody {
  @Instant({ example: '2026-11-01T00:00:00.000Z' })
  from: string;

  /** End of the time range, inclusive. The end must not be in the future. */
  @Instant({ example: '2026-11-08T00:00:00.000Z' })
  to: string;

  /**
   * What to do at a scheduled time if an earlier execution has not ended. With `allow`, the executions of all scheduled
   * times start immediately.
   */
  @OptionalChoice({ enum: OVERLAPS, default: 'allow' })
  overlap?: Overlap;
}

export class UpcomingQuery {
  @OptionalInteger({ minimum: 1, maximum: MAX_INSTANTS, default: DEFAULT_INSTANTS })
  count: number = DEFAULT_INSTANTS;
}

export class PreviewBody {
  @Text({ maxLength: MAX_CRON_LENGTH, example: '0 9 * * MON-FRI' })
  cron: string;

  @OptionalText({ maxLength: MAX_ZONE_LENGTH, default: 'UTC', example: 'Europe/Berlin' })
  time_zone: string = 'UTC';

  @OptionalInteger({ minimum: 1, maximum: MAX_INSTANTS, default: DEFAULT_INSTANTS })
  count: number = DEFAULT_INSTANTS;
}
