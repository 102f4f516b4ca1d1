import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';
import { LIMITS } from '../engine/index.js';
import {
  Integer,
  OptionalBoolean,
  OptionalChoice,
  OptionalId,
  OptionalInteger,
  OptionalNested,
  OptionalObject,
  OptionalText,
  Text,
} from '../fields/index.js';
import { PageQuery } from '../pages/index.js';
import { WORKFLOW_STATUSES, type WorkflowStatus } from './workflow.js';

const TAG = /^[\p{L}\p{M}\p{N}_.:-]{1,64}$/u;

const NODES_EXAMPLE = [
  { id: 'greet', type: 'set', with: { value: 'Hello {{ input.name }}' } },
  { id: 'shout', type: 'set', with: { value: '{{ nodes.greet.output + "!" }}' } },
];

export class RetryDto {
  /** Maximum number of attempts of the node, including the first attempt. */
  @Integer({ minimum: 1, maximum: 10, example: 3 })
  max_attempts: number;

  @OptionalChoice({ enum: ['fixed', 'exponential'], default: 'exponential' })
  backoff?: 'fixed' | 'exponential';

  @OptionalInteger({ minimum: 0, maximum: 3_600_000, default: 1000 })
  initial_delay_ms?: number;

  @OptionalInteger({ minimum: 0, maximum: 3_600_000, default: 60_000 })
  max_delay_ms?: number;

  /** Whether to multiply each delay by a random factor from 0.5 to 1. */
  @OptionalBoolean({ default: true })
  jitter?: boolean;
}

export class NodeCacheDto {
  @Integer({ minimum: 1, maximum: 31_536_000, example: 3600 })
  ttl_seconds: number;
}

export class NodeDto {
  @ApiProperty({ type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$', example: 'greet' })
  @IsString()
  id: string;

  /** Name of the node type. `GET /v1/node-types` lists all types. */
  @Text({ example: 'set' })
  type: string;

  @OptionalText({ maxLength: 255 })
  name?: string;

  /**
   * Ids of nodes that must end or be skipped before this node runs. The service adds the nodes that the expressions of
   * this node reference.
   */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string' } })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(LIMITS.nodes)
  @IsString({ each: true })
  needs?: string[];

  /** CEL condition, without the braces `{{ }}`. The node is skipped if the condition is false. */
  @OptionalText({ example: 'input.amount > 100' })
  if?: string;

  /** Parameters of the node, as its node type defines them. Strings may contain `{{ }}` expressions. */
  @OptionalObject({ example: { value: 'Hello {{ input.name }}' } })
  with?: JsonObject;

  @OptionalNested(() => RetryDto)
  retry?: RetryDto;

  /** Maximum duration of one attempt, in seconds. */
  @OptionalInteger({ minimum: 1, maximum: 3600 })
  timeout_seconds?: number;

  @OptionalChoice({ enum: ['fail', 'continue'], default: 'fail' })
  on_error?: 'fail' | 'continue';

  /**
   * Maximum age of a cached output that is used instead of running the node. Requires `config.cache_enabled`. Outputs
   * are cached by node type, version and parameters. `cacheable` types have a default of one day. Types that are
   * `cacheable_on_request`, such as `http`, are cached only with this field. Other types ignore this field.
   */
  @OptionalNested(() => NodeCacheDto)
  cache?: NodeCacheDto;
}

export class ConfigDto {
  /**
   * Whether a node may use a cached output instead of running. The output comes from an earlier node of the same
   * project with the same type and parameters.
   */
  @OptionalBoolean({ default: false })
  cache_enabled?: boolean;

  /** Timeout of the whole execution in seconds. `timeout_counts` defines which time counts. */
  @OptionalInteger({ minimum: 1, maximum: 3600, default: 300 })
  timeout_seconds?: number;

  /**
   * `elapsed` counts all time from the start, including waits. `active` counts only time in which an attempt runs or
   * could run. With `active`, pauses do not count, and neither do waits for a signal, an approval, a child or a timer
   * of more than 5 seconds.
   */
  @OptionalChoice({ enum: ['elapsed', 'active'], default: 'elapsed' })
  timeout_counts?: 'elapsed' | 'active';

  /**
   * Seconds from the start to the latest possible end of an execution, including waits. Allowed only with
   * `timeout_counts: "active"`. Null means no limit.
   */
  @OptionalInteger({ minimum: 1, maximum: LIMITS.deadlineSeconds, nullable: true, default: null })
  deadline_seconds?: number | null;

  /** Maximum number of nodes that run concurrently in one execution. */
  @OptionalInteger({ minimum: 1, maximum: 500, default: 16 })
  max_concurrency?: number;

  /** Maximum number of executions of this workflow that run at the same time. Null means no limit. */
  @OptionalInteger({ minimum: 1, maximum: 100_000, nullable: true, default: null })
  max_running?: number | null;
}

/** The fields of a workflow that clients can set. */
export class WorkflowBody {
  @Text({ minLength: 1, maxLength: 255, example: 'greeting' })
  name: string;

  @OptionalText({ maxLength: 10_000, example: 'Says hello.' })
  description?: string;

  @OptionalChoice({ enum: WORKFLOW_STATUSES, default: 'active' })
  status?: WorkflowStatus;

  @OptionalNested(() => ConfigDto)
  config?: ConfigDto;

  /** JSON Schema (draft 2020-12 or 07) that validates an execution's input. */
  @OptionalObject({ nullable: true })
  input_schema?: JsonObject | null;

  @ApiPropertyOptional({ type: () => [NodeDto], maxItems: LIMITS.nodes, example: NODES_EXAMPLE })
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => NodeDto)
  nodes?: NodeDto[];

  /** Template that renders the execution's output. Default: the output of the nodes that no other node needs. */
  @ApiPropertyOptional({
    description: 'Any JSON value. Strings in it may contain `{{ }}` expressions.',
    example: { greeting: '{{ nodes.shout.output }}' },
  })
  @Allow()
  output?: Json;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: TAG.source },
    maxItems: 50,
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @Matches(TAG, {
    each: true,
    message: 'must have 1 to 64 letters of any script, digits, "_", ".", ":" or "-"',
  })
  tags?: string[];
}

export class CreateWorkflowBody extends WorkflowBody {
  /**
   * Id of the workflow's project. Default: the project of the key. If the key has no project, the oldest project of the
   * team.
   */
  @OptionalId()
  project_id?: string;
}

export class ListWorkflowsQuery extends PageQuery {
  /** Status of the listed workflows. Default: all workflows that are not archived. */
  @OptionalChoice({ enum: WORKFLOW_STATUSES })
  status?: WorkflowStatus;

  @OptionalId()
  project_id?: string;

  @OptionalText({ minLength: 1, maxLength: 64 })
  tag?: string;

  /** Search text: a part of the name, description or a tag, or a prefix of the id or of its last eight characters. */
  @OptionalText({ minLength: 1, maxLength: 255 })
  q?: string;
}

export class DeleteWorkflowQuery {
  /**
   * Whether to cancel unfinished executions of the workflow. Without `true`, unfinished executions prevent the
   * deletion. Requires `executions:write`.
   */
  @OptionalChoice({ enum: ['true', 'false'], default: 'false' })
  cancel?: 'true' | 'false';
}

/** A possible problem in a definition. The definition can be saved in spite of the problem. */
export class WorkflowWarningView {
  @ApiProperty({ type: 'string', example: 'nodes[0].with.headers.Authorization' })
  path: string;

  @ApiProperty({ type: 'string', example: 'unknown_secret' })
  code: string;

  @ApiProperty({
    type: 'string',
    example:
      'The project has no secret PAYMENT_KEY, so an attempt of this node will fail. Create the secret, or correct the name.',
  })
  message: string;
}

export class ValidateWorkflowView {
  @ApiProperty({ type: 'boolean', example: false })
  valid: boolean;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['field', 'code', 'reason'],
      properties: { field: { type: 'string' }, code: { type: 'string' }, reason: { type: 'string' } },
    },
    example: [
      {
        field: 'nodes[1].needs[0]',
        code: 'unknown_node',
        reason: 'The node "b" refers to "a", but no node has this id.',
      },
    ],
  })
  errors: readonly { readonly field: string; readonly code: string; readonly reason: string }[];

  /** Possible problems in the definition. The definition can be saved in spite of these problems. */
  @ApiProperty({ type: () => [WorkflowWarningView] })
  warnings: readonly WorkflowWarningView[];
}
