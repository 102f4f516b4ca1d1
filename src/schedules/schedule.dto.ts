import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsRFC3339,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';
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

/** Property decorator that validates an RFC 3339 date-time with a UTC offset. */
function IsInstant(): PropertyDecorator {
  return (target, key) => {
    IsRFC3339()(target, key);
    IsISO8601({ strict: true })(target, key);
  };
}

export class CreateScheduleBody {
  @ApiProperty({ type: 'string', format: 'uuid' })
  @IsUUID()
  workflow_id: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 255, example: 'Morning report' })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  /**
   * Cron expression with five fields, or with six if seconds come first. Supports names, `L`, `#`, and aliases such
   * as `@daily`. Set exactly one of `cron`, `every_seconds` and `at`.
   */
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    maxLength: MAX_CRON_LENGTH,
    example: '0 9 * * MON-FRI',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CRON_LENGTH)
  cron?: string | null;

  /**
   * Interval in seconds, counted from `starts_at`, or from 1970 if `starts_at` is absent. For example, 3600 fires on
   * the hour.
   */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_EVERY_SECONDS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_EVERY_SECONDS)
  every_seconds?: number | null;

  /** Time at which the schedule fires once. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsOptional()
  @IsInstant()
  at?: string | null;

  /** IANA time zone in which `cron` is evaluated. */
  @ApiPropertyOptional({
    type: 'string',
    default: 'UTC',
    maxLength: MAX_ZONE_LENGTH,
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ZONE_LENGTH)
  time_zone?: string;

  @ApiPropertyOptional({
    description: 'Any JSON that matches the input schema of the workflow.',
    nullable: true,
  })
  @Allow()
  input?: Json;

  /** Metadata of each execution that the schedule starts. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  metadata?: JsonObject;

  /** Priority of each execution that the schedule starts: 9 is the highest, 0 the lowest. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 9, default: 5 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(9)
  priority?: number;

  /** What to do at a scheduled time if the execution of an earlier scheduled time has not ended. */
  @ApiPropertyOptional({ enum: OVERLAPS, default: 'skip' })
  @IsOptional()
  @IsIn(OVERLAPS)
  overlap?: Overlap;

  /** Maximum age in seconds of scheduled times that still fire after a downtime. Older scheduled times are skipped. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_CATCH_UP_SECONDS, default: 3_600 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_CATCH_UP_SECONDS)
  catch_up_seconds?: number;

  /** Maximum delay in seconds after each scheduled time. The delay spreads load. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_JITTER_SECONDS, default: 0 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_JITTER_SECONDS)
  jitter_seconds?: number;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsOptional()
  @IsInstant()
  starts_at?: string | null;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsOptional()
  @IsInstant()
  ends_at?: string | null;
}

/**
 * Request body that changes a schedule. Omitted fields keep their values. Setting one of `cron`, `every_seconds` and
 * `at` clears the other two.
 */
export class ChangeScheduleBody extends OmitType(CreateScheduleBody, ['workflow_id']) {}

export class ListSchedulesQuery extends WorkflowItemsQuery {
  @ApiPropertyOptional({ enum: SCHEDULE_STATUSES })
  @IsOptional()
  @IsIn(SCHEDULE_STATUSES)
  status?: ScheduleStatus;
}

export class BackfillBody {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-01T00:00:00.000Z' })
  @IsInstant()
  from: string;

  /** End of the time range, inclusive. The end must not be in the future. */
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-08T00:00:00.000Z' })
  @IsInstant()
  to: string;

  /**
   * What to do at a scheduled time if an earlier execution has not ended. With `allow`, the executions of all scheduled
   * times start immediately.
   */
  @ApiPropertyOptional({ enum: OVERLAPS, default: 'allow' })
  @IsOptional()
  @IsIn(OVERLAPS)
  overlap?: Overlap;
}

export class UpcomingQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_INSTANTS, default: DEFAULT_INSTANTS })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_INSTANTS)
  count: number = DEFAULT_INSTANTS;
}

export class PreviewBody {
  @ApiProperty({ type: 'string', maxLength: MAX_CRON_LENGTH, example: '0 9 * * MON-FRI' })
  @IsString()
  @MaxLength(MAX_CRON_LENGTH)
  cron: string;

  @ApiPropertyOptional({
    type: 'string',
    default: 'UTC',
    maxLength: MAX_ZONE_LENGTH,
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ZONE_LENGTH)
  time_zone: string = 'UTC';

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_INSTANTS, default: DEFAULT_INSTANTS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_INSTANTS)
  count: number = DEFAULT_INSTANTS;
}
