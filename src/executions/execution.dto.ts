import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  Allow,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { ExecutionStatus, Json, JsonObject, TriggerType } from '../engine/index.js';
import { BodyMayBeAbsent, PageQuery } from '../platform/index.js';
import { EXECUTION_STATUSES, TRIGGER_TYPES } from './execution.view.js';

/** The largest integer that a column holds. */
const MAX_VERSION = 2_147_483_647;

/** What a client sends to start an execution. */
@BodyMayBeAbsent()
export class StartExecutionBody {
  @ApiPropertyOptional({
    description: 'Any JSON that satisfies the input schema of the workflow.',
    example: { name: 'Ada' },
  })
  @Allow()
  input?: Json;

  /** Default: the newest version. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_VERSION })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  version?: number;

  /** An active session of the same project that this belongs to; expressions read its `session.state`. */
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  session_id?: string;

  /** Kept with the execution; lists can be narrowed by it. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { order: '4711' } })
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

  /** Not before this instant. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsString()
  scheduled_for?: string;
}

export class StartExecutionQuery {
  /** Seconds to hold the answer until the execution ends; as `Prefer: wait=N`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 60 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(60)
  wait?: number;
}

@BodyMayBeAbsent()
export class CancelExecutionBody {
  @ApiPropertyOptional({ type: 'string', maxLength: 1000, example: 'Ordered twice.' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  reason?: string;
}

/** Lists of executions are narrowed by these; `metadata[key]=value` as well. */
export class ListExecutionsQuery extends PageQuery {
  /** May be given several times. */
  @ApiPropertyOptional({ enum: EXECUTION_STATUSES, isArray: true })
  @IsOptional()
  @IsIn(EXECUTION_STATUSES, { each: true })
  @IsArray()
  status?: ExecutionStatus[];

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  workflow_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  session_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  @ApiPropertyOptional({ enum: TRIGGER_TYPES })
  @IsOptional()
  @IsIn(TRIGGER_TYPES)
  trigger?: TriggerType;

  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsString()
  created_after?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsString()
  created_before?: string;

  /** `metadata[key]=value`, as often as wanted: top-level metadata that must be equal, as text. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { order: '4711' },
  })
  @IsOptional()
  @Allow()
  metadata?: Map<string, string>;
}

class NodeErrorView {
  @ApiProperty({ type: 'string', example: 'http_status_error' })
  code: string;

  @ApiProperty({ type: 'string', example: 'The server answered 503.' })
  message: string;

  @ApiPropertyOptional({ description: 'Any JSON.' })
  details?: Json;
}

const NODE_STATUSES = [
  'pending',
  'running',
  'retrying',
  'waiting',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const;

class NodeAttemptView {
  @ApiProperty({ type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({ enum: NODE_STATUSES, example: 'completed' })
  status: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  started_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  finished_at: string | null;

  @ApiProperty({ type: () => NodeErrorView, nullable: true })
  error: NodeErrorView | null;
}

/** One node of an execution, its attempts inside. */
export class NodeExecutionView {
  @ApiProperty({ type: 'string', example: 'greet' })
  node_id: string;

  @ApiProperty({ type: 'string', example: 'set' })
  type: string;

  @ApiProperty({ type: 'string', nullable: true })
  name: string | null;

  /** Which item of a `foreach`; null elsewhere. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  iteration: number | null;

  @ApiProperty({ enum: NODE_STATUSES, example: 'completed' })
  status: string;

  @ApiProperty({ type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({ description: 'The resolved `with`, secrets masked.', nullable: true })
  input: Json;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: 'Hello Ada' })
  output: Json;

  @ApiProperty({ type: () => NodeErrorView, nullable: true })
  error: NodeErrorView | null;

  @ApiProperty({ type: 'boolean', example: false })
  cached: boolean;

  /** Lines that it logged, such as those of a `console`. */
  @ApiProperty({ type: [String], example: [] })
  logs: readonly string[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  started_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  finished_at: string | null;

  /** When it is tried again or wakes. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  wake_at: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  duration_ms: number | null;

  @ApiProperty({ type: () => [NodeAttemptView] })
  attempts: readonly NodeAttemptView[];
}
