import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Response } from 'express';
import { wireError } from '../journal/index.js';
import { type ActiveTime } from '../active-time/index.js';
import {
  EXECUTION_STATUSES,
  type ExecutionError,
  type ExecutionStatus,
  type TriggerType,
} from '../execution-events/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { durationMs, type Execution } from '../execution-store/index.js';
import { isoTime } from '../platform/index.js';
import { traceIdOf } from '../trace-context/index.js';
import { shownInput, shownOutput } from './shown-value.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';

export const TRIGGER_TYPES = [
  'api',
  'cli',
  'retry',
  'parent',
  'schedule',
  'hook',
  'webhook',
] as const satisfies readonly TriggerType[];

class TriggerView {
  @ApiProperty({ enum: TRIGGER_TYPES, example: 'api' })
  type: TriggerType;

  @ApiProperty({ type: 'string', nullable: true, example: ID_EXAMPLE })
  id: string | null;
}

class ExecutionErrorView {
  @ApiProperty({ type: 'string', example: 'http_status_error' })
  type: string;

  /** Error code, the same value as in the field `type`. */
  @ApiProperty({ type: 'string', example: 'http_status_error' })
  code: string;

  @ApiProperty({ type: 'string', example: 'The server answered 503.' })
  message: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'charge' })
  node_id: string | null;

  @ApiPropertyOptional({ description: 'Details about the error from the failed node: any JSON.' })
  details?: Json;
}

class ActiveTimeView {
  /** Active time of the execution until its last event, in milliseconds. */
  @ApiProperty({ type: 'integer', example: 1520 })
  used_ms: number;

  /** Maximum active time of the execution in milliseconds, from `timeout_seconds` of the workflow. */
  @ApiProperty({ type: 'integer', example: 300_000 })
  limit_ms: number;

  /**
   * Time of the last event, since which further active time accrues. Null while no active time accrues, such as in a
   * pause.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  counts_since: string | null;

  /**
   * Time at which the execution ends at the latest, from `deadline_seconds` of the workflow. Null if the workflow has
   * no deadline.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  deadline_at: string | null;
}

class ProgressView {
  @ApiProperty({ type: 'integer', example: 2 })
  completed: number;

  @ApiProperty({ type: 'integer', example: 2 })
  total: number;
}

export class ExecutionView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  workflow_id: string;

  @ApiProperty({ type: 'integer', example: 1 })
  workflow_version: number;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  session_id: string | null;

  @ApiProperty({ enum: EXECUTION_STATUSES, example: 'completed' })
  status: ExecutionStatus;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  status_reason: string | null;

  @ApiProperty({ type: () => TriggerView })
  trigger: TriggerView;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: { name: 'Ada' } })
  input: Json;

  /**
   * True if the input is too long for this response. `input` is then null, and `input_url` is the URL of the complete
   * value. Otherwise absent.
   */
  @ApiPropertyOptional({ type: 'boolean', enum: [true] })
  input_truncated?: true;

  @ApiPropertyOptional({ type: 'string', format: 'uri-reference' })
  input_url?: string;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: 'Hello Ada!' })
  output: Json;

  /**
   * True if the output is too long for this response. `output` is then null, and `output_url` is the URL of the
   * complete value. Otherwise absent.
   */
  @ApiPropertyOptional({ type: 'boolean', enum: [true] })
  output_truncated?: true;

  @ApiPropertyOptional({ type: 'string', format: 'uri-reference' })
  output_url?: string;

  @ApiProperty({ type: () => ExecutionErrorView, nullable: true, example: null })
  error: ExecutionError | null;

  @ApiProperty({ type: () => ProgressView })
  progress: ProgressView;

  /** Id of the parent execution. Absent if the execution has no parent. */
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  parent?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  scheduled_for?: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  retry_of: string | null;

  @ApiProperty({ type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { order: '4711' } })
  metadata: JsonObject;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 9, example: 5 })
  priority: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  started_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  finished_at: string | null;

  /**
   * Time at which the execution times out. Null before the start. With `timeout_counts: "active"`, also null while no
   * active time accrues.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  timeout_at: string | null;

  /**
   * Active time of the execution. Present only after the start, and only if the workflow has `timeout_counts:
   * "active"`.
   */
  @ApiPropertyOptional({ type: () => ActiveTimeView })
  active_time?: ActiveTimeView;

  /**
   * Milliseconds from the start to the end of the execution. Null before the end, and for an execution that never
   * started.
   */
  @ApiProperty({ type: 'integer', nullable: true, example: 7 })
  duration_ms: number | null;

  /**
   * Trace id of the execution: from the caller's header `traceparent`, else from the parent or the retried execution.
   * If none exists, the execution id without hyphens.
   */
  @ApiProperty({ type: 'string', pattern: '^[0-9a-f]{32}$', example: '0199a8c022227abc8def0123456789ab' })
  trace_id: string;

  @ApiProperty({ type: 'integer', example: 7 })
  last_sequence: number;
}

function activeTimeView({ usedMs, limitMs, since, deadlineAt }: ActiveTime): ActiveTimeView {
  return {
    used_ms: usedMs,
    limit_ms: limitMs,
    counts_since: since === null ? null : isoTime(since),
    deadline_at: deadlineAt === null ? null : isoTime(deadlineAt),
  };
}

/** Returns the view of an execution, and sets the header `Location` of the response. */
export function locatedExecutionView(execution: Execution, response: Response): ExecutionView {
  response.setHeader('Location', `/v1/executions/${execution.id}`);
  return executionView(execution);
}

export function executionView(execution: Execution): ExecutionView {
  const { progress } = execution;
  return {
    id: execution.id,
    workflow_id: execution.workflowId,
    workflow_version: execution.workflowVersion,
    project_id: execution.projectId,
    session_id: execution.sessionId,
    status: progress.status,
    status_reason: progress.statusReason,
    trigger: { type: execution.trigger.type, id: execution.trigger.id },
    ...shownInput(execution.id, execution.input),
    ...shownOutput(execution.id, progress.output),
    error: progress.error === null ? null : wireError(progress.error, null),
    progress: { completed: progress.nodesCompleted, total: progress.nodesTotal },
    ...(execution.parentId === null ? {} : { parent: execution.parentId }),
    ...(execution.scheduledFor === null ? {} : { scheduled_for: execution.scheduledFor }),
    retry_of: execution.retryOf,
    attempt: execution.attempt,
    metadata: execution.metadata,
    priority: execution.priority,
    created_at: execution.createdAt,
    started_at: progress.startedAt,
    finished_at: progress.finishedAt,
    timeout_at: progress.timeoutAt,
    ...(progress.activeTime === null ? {} : { active_time: activeTimeView(progress.activeTime) }),
    duration_ms: durationMs(execution),
    trace_id: traceIdOf(execution),
    last_sequence: progress.lastSequence,
  };
}
