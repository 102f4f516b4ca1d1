import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsArray, IsIn, IsOptional } from 'class-validator';
import { EXECUTION_STATUSES, type ExecutionStatus, type TriggerType } from '../execution-events/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import {
  OptionalChoice,
  OptionalId,
  OptionalInteger,
  OptionalNested,
  OptionalObject,
  OptionalText,
  Text,
} from '../fields/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import { PageQuery, SearchedPageQuery } from '../pages/index.js';
import { ON_CONFLICTS, type OnConflict } from '../execution-start/index.js';
import { TRIGGER_TYPES } from './execution.view.js';

/** Maximum version number of a workflow: the maximum of a 32-bit integer column. */
export const MAX_VERSION = 2_147_483_647;

class DeduplicationBody {
  /** Deduplication key. A workflow has at most one unfinished execution with a given key. */
  @Text({ minLength: 1, maxLength: 255, example: 'order-4711' })
  key: string;

  /**
   * What happens if an unfinished execution of the workflow already has this key. The service returns that execution,
   * rejects the start, or cancels that execution and starts a new one.
   */
  @OptionalChoice({ enum: ON_CONFLICTS, default: 'return_existing' })
  on_conflict?: OnConflict;
}

@BodyMayBeAbsent()
export class StartExecutionBody {
  @ApiPropertyOptional({
    description: 'Any JSON that matches the input schema of the workflow.',
    example: { name: 'Ada' },
  })
  @Allow()
  input?: Json;

  /** Version of the workflow that the execution runs. Default: the newest version. */
  @OptionalInteger({ minimum: 1, maximum: MAX_VERSION })
  version?: number;

  /**
   * Id of an active session in the project of the workflow. The execution then belongs to the session, and its
   * expressions can read `session.state`.
   */
  @OptionalId()
  session_id?: string;

  /** Data of the caller that is stored with the execution. Lists of executions can be filtered by top-level keys. */
  @OptionalObject({ example: { order: '4711' } })
  metadata?: JsonObject;

  /** Priority from 0 to 9, default 5. Executions with a higher priority run first. */
  @OptionalInteger({ minimum: 0, maximum: 9, default: 5 })
  priority?: number;

  /** Earliest time at which the execution starts. */
  @OptionalText({ format: 'date-time' })
  scheduled_for?: string;

  @OptionalNested(() => DeduplicationBody)
  deduplication?: DeduplicationBody;
}

export class StartExecutionQuery {
  /**
   * Maximum number of seconds to wait for the end of the execution before the response is sent. Overrides the header
   * `Prefer: wait=N`.
   */
  @OptionalInteger({ minimum: 0, maximum: 60 })
  wait?: number;
}

@BodyMayBeAbsent()
export class CancelExecutionBody {
  @OptionalText({ maxLength: 1000, example: 'Ordered twice.' })
  reason?: string;
}

/** Query parameters of a list of executions, including `metadata[key]=value`. */
export class ListExecutionsQuery extends SearchedPageQuery {
  /** Only executions with this status match. Repeat the query parameter for several statuses. */
  @ApiPropertyOptional({ enum: EXECUTION_STATUSES, isArray: true })
  @IsOptional()
  @IsIn(EXECUTION_STATUSES, { each: true })
  @IsArray()
  status?: ExecutionStatus[];

  @OptionalId()
  workflow_id?: string;

  @OptionalId()
  session_id?: string;

  @OptionalId()
  project_id?: string;

  /** Only retries of the execution with this id match. */
  @OptionalId()
  retry_of?: string;

  @OptionalChoice({ enum: TRIGGER_TYPES })
  trigger?: TriggerType;

  @OptionalText({ format: 'date-time' })
  created_after?: string;

  @OptionalText({ format: 'date-time' })
  created_before?: string;

  /**
   * Lists only executions with the given metadata, as `metadata[key]=value` for a top-level key. Values are compared as
   * text. Several parameters must all match.
   */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { order: '4711' },
  })
  @IsOptional()
  @Allow()
  metadata?: Map<string, string>;
}

export class ListNodeExecutionsQuery extends PageQuery {
  /** Lists only the node with this id. A node inside a `foreach` has one entry for each item. */
  @OptionalText({ maxLength: 64, example: 'greet' })
  node_id?: string;
}

class NodeErrorView {
  /** Error code, the same value as in the field `code`. */
  @ApiProperty({ type: 'string', example: 'http_status_error' })
  type: string;

  @ApiProperty({ type: 'string', example: 'http_status_error' })
  code: string;

  @ApiProperty({ type: 'string', example: 'The server answered 503.' })
  message: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'charge' })
  node_id: string | null;

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

/** The timer, signal or child execution for which a node waits. */
class NodeWaitView {
  @ApiProperty({ enum: ['timer', 'signal', 'child'], example: 'signal' })
  kind: 'timer' | 'signal' | 'child';

  @ApiProperty({ type: 'string', nullable: true, example: 'payment_received' })
  signal: string | null;

  /**
   * Title of the approval for which the node waits. Null for other waits. Only the event `workflow.node.waiting`
   * contains the approval links.
   */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  title: string | null;
}

/** The state of a node in an execution, with its attempts. */
export class NodeExecutionView {
  @ApiProperty({ type: 'string', example: 'greet' })
  node_id: string;

  @ApiProperty({ type: 'string', example: 'set' })
  type: string;

  @ApiProperty({ type: 'string', nullable: true })
  name: string | null;

  /** Index of the item in a `foreach`, starting at 0. Null for a node outside of loops. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  iteration: number | null;

  @ApiProperty({ enum: NODE_STATUSES, example: 'completed' })
  status: string;

  @ApiProperty({ type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({
    description:
      'The parameters of the node: the values of `with` after evaluation of the expressions. Secrets are masked.',
    nullable: true,
  })
  input: Json;

  /**
   * True if the input is too long for this response. `input` is then null, and `input_url` is the URL of the complete
   * value. Otherwise absent.
   */
  @ApiPropertyOptional({ type: 'boolean', enum: [true] })
  input_truncated?: true;

  @ApiPropertyOptional({ type: 'string', format: 'uri-reference' })
  input_url?: string;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: 'Hello Ada' })
  output: Json;

  /**
   * True if the output is too long for this response. `output` is then null, and `output_url` is the URL of the
   * complete value. Otherwise absent.
   */
  @ApiPropertyOptional({ type: 'boolean', enum: [true] })
  output_truncated?: true;

  @ApiPropertyOptional({ type: 'string', format: 'uri-reference' })
  output_url?: string;

  @ApiProperty({ type: () => NodeErrorView, nullable: true })
  error: NodeErrorView | null;

  @ApiProperty({ type: 'boolean', example: false })
  cached: boolean;

  /** Log lines that the node wrote. */
  @ApiProperty({ type: [String], example: [] })
  logs: readonly string[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  started_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  finished_at: string | null;

  /** Time of the node's next attempt, or of the timer for which the node waits. Null if neither exists. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  wake_at: string | null;

  @ApiProperty({ type: () => NodeWaitView, nullable: true, example: null })
  waiting_for: NodeWaitView | null;

  /** Id of the child execution that the node's last attempt started. Null if no child was started. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  child_execution_id: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  duration_ms: number | null;

  @ApiProperty({ type: () => [NodeAttemptView] })
  attempts: readonly NodeAttemptView[];
}
