import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json, JsonObject } from '../expressions/index.js';
import { OptionalObject, Text } from '../fields/index.js';

/** Maximum length of a CEL expression in characters. Workflow definitions have the same limit. */
const MAX_EXPRESSION_LENGTH = 4_096;

export class EvaluateExpressionBody {
  /** A CEL expression without the braces `{{` and `}}`. */
  @Text({ maxLength: MAX_EXPRESSION_LENGTH, example: 'input.items.map(i, i.price).sum()' })
  expression: string;

  /**
   * Values of the variables that the expression can read: `input`, `nodes`, `session`, `workflow`, `execution`, `item`,
   * `index`.
   */
  @OptionalObject({ example: { input: { items: [{ price: 12 }] } } })
  scope?: JsonObject;
}

export class EvaluationErrorView {
  @ApiProperty({ type: 'string', example: 'expression_syntax' })
  code: string;

  @ApiProperty({ type: 'string' })
  message: string;

  /** Position of the error: the number of characters before it in the expression. Null if the position is unknown. */
  @ApiProperty({ type: 'integer', nullable: true })
  position: number | null;

  /** The part of the expression that caused the error, such as `input.customer.email`. Null for a syntax error. */
  @ApiProperty({ type: 'string', nullable: true })
  path: string | null;
}

export class EvaluationView {
  /** The value of the expression. Null if the evaluation failed. */
  @ApiProperty({ description: 'Any JSON.', nullable: true })
  value: Json;

  /** The error of the expression. Absent if the evaluation succeeded. */
  @ApiPropertyOptional({ type: EvaluationErrorView })
  error?: EvaluationErrorView;
}

export class TestNodeBody {
  /**
   * Parameters that replace the saved `with` of the node, to test an unsaved change. They require the scope
   * `workflows:write`.
   */
  @OptionalObject()
  with?: JsonObject;

  /**
   * Values of the variables that the node's expressions can read: `input`, `nodes`, `session`, `workflow`, `execution`.
   * Nodes in a loop also read `item` and `index`.
   */
  @OptionalObject({ example: { input: { name: 'Ada' }, nodes: { load: { output: [1, 2] } } } })
  scope?: JsonObject;
}

export class TestErrorView {
  @ApiProperty({ type: 'string', example: 'http_status_error' })
  code: string;

  @ApiProperty({ type: 'string' })
  message: string;

  @ApiPropertyOptional({ description: 'Any JSON.' })
  details?: Json;
}

export class TestWaitView {
  /** Time at which a timer would resume the node. Null if the node waits only for a signal. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  until: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  signal: string | null;
}

export class TestNodeView {
  /** Outcome of the test. `waiting` means that in an execution, the node would wait for a time or a signal. */
  @ApiProperty({ enum: ['completed', 'failed', 'waiting'] })
  status: 'completed' | 'failed' | 'waiting';

  @ApiProperty({ description: 'Any JSON.', nullable: true })
  output: Json;

  /** The error of the node. Absent if the node completed or waits. */
  @ApiPropertyOptional({ type: TestErrorView })
  error?: TestErrorView;

  /** The time or signal for which the node waits. Absent if the node completed or failed. */
  @ApiPropertyOptional({ type: TestWaitView })
  waiting_for?: TestWaitView;

  /** Log lines that the node wrote during the test. */
  @ApiProperty({ type: 'string', isArray: true })
  logs: readonly string[];

  @ApiProperty({ type: 'integer', minimum: 0 })
  duration_ms: number;
}
