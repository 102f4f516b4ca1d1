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
import { PageQuery } from '../pages/index.js';
import { OVERLAPS, type Overlap, SCHEDULE_STATUSES, type ScheduleStatus } from './schedule.js';

const MAX_CRON_LENGTH = 255;
const MAX_ZONE_LENGTH = 64;
/** Ten years, and one year. */
const MAX_EVERY_SECONDS = 315_360_000;
const MAX_CATCH_UP_SECONDS = 31_536_000;
const MAX_JITTER_SECONDS = 3_600;
const MAX_INSTANTS = 100;
const DEFAULT_INSTANTS = 5;

/** An instant with its zone. */
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

  /** Five or six fields (seconds first), names, `L`, `#`, or `@daily` and its kind. Exactly one of `cron`, `every_seconds`, `at`. */
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

  /** Counted from `starts_at`, else from 1970, so that 3600 is every full hour. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_EVERY_SECONDS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_EVERY_SECONDS)
  every_seconds?: number | null;

  /** Fires once. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsOptional()
  @IsInstant()
  at?: string | null;

  /** IANA name: whose wall clock `cron` speaks of. */
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
    description: 'Any JSON that satisfies the input schema of the workflow.',
    nullable: true,
  })
  @Allow()
  input?: Json;

  /** Kept with each execution. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  metadata?: JsonObject;

  /** 9 runs before 0. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 9, default: 5 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(9)
  priority?: number;

  /** What happens at an instant while an execution of an earlier one has not ended. */
  @ApiPropertyOptional({ enum: OVERLAPS, default: 'skip' })
  @IsOptional()
  @IsIn(OVERLAPS)
  overlap?: Overlap;

  /** Instants that passed while the service was down fire if they are at most this old; older ones are skipped. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_CATCH_UP_SECONDS, default: 3_600 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_CATCH_UP_SECONDS)
  catch_up_seconds?: number;

  /** Each instant fires up to this much later, to spread load. */
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

/** What is left out stays. One of `cron`, `every_seconds` and `at` replaces the others. */
export class ChangeScheduleBody extends OmitType(CreateScheduleBody, ['workflow_id']) {}

export class ListSchedulesQuery extends PageQuery {
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  workflow_id?: string;

  @ApiPropertyOptional({ enum: SCHEDULE_STATUSES })
  @IsOptional()
  @IsIn(SCHEDULE_STATUSES)
  status?: ScheduleStatus;
}

export class BackfillBody {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-01T00:00:00.000Z' })
  @IsInstant()
  from: string;

  /** Included; not in the future. */
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-08T00:00:00.000Z' })
  @IsInstant()
  to: string;

  /** With `allow`, every instant gets its execution, all at once. */
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
