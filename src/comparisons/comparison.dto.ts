import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EXECUTION_STATUSES, type ExecutionStatus } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';
import { Id } from '../fields/index.js';
import { VALUE_CHANGES, type ValueChangeKind } from './value-diff.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';

export class CompareExecutionsQuery {
  /** Id of the other execution. Both executions must belong to the same workflow. */
  @Id({ example: '0199a8c0-3333-7abc-8def-0123456789ab' })
  with: string;
}

class ComparedError {
  @ApiProperty({ type: 'string', example: 'http_status_error' })
  type: string;

  /** The first 500 characters of the error message. */
  @ApiProperty({ type: 'string', example: 'The server answered 503.' })
  message: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'charge' })
  node_id: string | null;
}

class ComparedExecution {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ enum: EXECUTION_STATUSES, example: 'failed' })
  status: ExecutionStatus;

  @ApiProperty({ type: 'integer', example: 3 })
  workflow_version: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 1520 })
  duration_ms: number | null;

  @ApiProperty({ type: () => ComparedError, nullable: true })
  error: ComparedError | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  retry_of: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  started_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  finished_at: string | null;
}

class ValueChangeView {
  /** JSON Pointer (RFC 6901) to the difference; empty for the whole value. */
  @ApiProperty({ type: 'string', example: '/order/total' })
  path: string;

  /** `added`: only the other execution has the value. `removed`: only the base execution has the value. */
  @ApiProperty({ enum: VALUE_CHANGES, example: 'changed' })
  kind: ValueChangeKind;

  /**
   * Value in the base execution. Null if the value is null or missing; `kind` tells which. See also `base_truncated`.
   */
  @ApiProperty({ description: 'Any JSON.', nullable: true, example: 12 })
  base: Json;

  /**
   * True if the JSON of the base value is longer than 2,000 characters. `base` is then a string that contains the start
   * of the JSON.
   */
  @ApiPropertyOptional({ type: 'boolean', enum: [true] })
  base_truncated?: true;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: 15 })
  other: Json;

  @ApiPropertyOptional({ type: 'boolean', enum: [true] })
  other_truncated?: true;
}

/** Differences between two values. */
export class ValueDiffView {
  /** Whether the two values are equal; null if at least one of the values is too long to compare. */
  @ApiProperty({ type: 'boolean', nullable: true, example: false })
  equal: boolean | null;

  /** Number of all differences, also of the differences that `changes` omits. */
  @ApiProperty({ type: 'integer', example: 1 })
  total: number;

  /** The first differences between the two values, at most 200. */
  @ApiProperty({ type: () => [ValueChangeView] })
  changes: readonly ValueChangeView[];

  /** URL of the value in the base execution; present if the value is too long to compare. */
  @ApiPropertyOptional({ type: 'string', format: 'uri-reference' })
  base_url?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uri-reference' })
  other_url?: string;
}

class ComparedNode {
  @ApiProperty({ type: 'string', example: 'completed' })
  status: string;

  @ApiProperty({ type: 'integer', example: 1 })
  attempts: number;

  @ApiProperty({ type: 'boolean', example: false })
  cached: boolean;

  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  duration_ms: number | null;

  @ApiProperty({ type: () => ComparedError, nullable: true })
  error: ComparedError | null;
}

class NodeDiffView {
  @ApiProperty({ type: 'string', example: 'charge' })
  node_id: string;

  /** Index of the item in a `foreach`, from 0; null outside of loops. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  iteration: number | null;

  @ApiProperty({ type: 'string', example: 'http' })
  type: string;

  /**
   * Whether the attempts, status, error, input and output are equal; null if a value is too long to compare. Durations
   * are ignored.
   */
  @ApiProperty({ type: 'boolean', nullable: true, example: false })
  equal: boolean | null;

  /** The node in the base execution; null if the node ran only in the other execution. */
  @ApiProperty({ type: () => ComparedNode, nullable: true })
  base: ComparedNode | null;

  @ApiProperty({ type: () => ComparedNode, nullable: true })
  other: ComparedNode | null;

  @ApiProperty({ type: () => ValueDiffView })
  input: ValueDiffView;

  @ApiProperty({ type: () => ValueDiffView })
  output: ValueDiffView;
}

class PathDiffView {
  /** Ids of the nodes that ran in the base execution, in the order of their start. Nodes inside loops are omitted. */
  @ApiProperty({ type: [String], example: ['check', 'charge'] })
  base: readonly string[];

  @ApiProperty({ type: [String], example: ['check', 'refuse'] })
  other: readonly string[];

  /** Ids of the nodes that ran only in the base execution. */
  @ApiProperty({ type: [String], example: ['charge'] })
  only_base: readonly string[];

  @ApiProperty({ type: [String], example: ['refuse'] })
  only_other: readonly string[];
}

/** Two executions of a workflow and their differences. */
export class ExecutionDiffView {
  /**
   * Whether status, version, path, input, output and nodes are equal; null if a value is too long to compare. Durations
   * are ignored.
   */
  @ApiProperty({ type: 'boolean', nullable: true, example: false })
  equal: boolean | null;

  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-1111-7abc-8def-0123456789ab' })
  workflow_id: string;

  /** The execution that the path of the request names. */
  @ApiProperty({ type: () => ComparedExecution })
  base: ComparedExecution;

  /** The execution that the query parameter `with` names. */
  @ApiProperty({ type: () => ComparedExecution })
  other: ComparedExecution;

  @ApiProperty({ type: () => PathDiffView })
  path: PathDiffView;

  @ApiProperty({ type: () => ValueDiffView })
  input: ValueDiffView;

  @ApiProperty({ type: () => ValueDiffView })
  output: ValueDiffView;

  /**
   * Nodes of the base execution in their order, then nodes that only the other execution has. At most 1,000 nodes of
   * each execution.
   */
  @ApiProperty({ type: () => [NodeDiffView] })
  nodes: readonly NodeDiffView[];

  /** Whether an execution has more than the 1,000 compared nodes. */
  @ApiProperty({ type: 'boolean', example: false })
  nodes_truncated: boolean;
}
