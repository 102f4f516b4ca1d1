import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';

/** Maximum length of an expression in characters, as in workflows. */
const MAX_EXPRESSION_LENGTH = 4_096;

export class EvaluateExpressionBody {
  /** A CEL expression, without braces. */
  @ApiProperty({
    type: 'string',
    maxLength: MAX_EXPRESSION_LENGTH,
    example: 'input.items.map(i, i.price).sum()',
  })
  @IsString()
  @MaxLength(MAX_EXPRESSION_LENGTH)
  expression: string;

  /** Variables of the expression: `input`, `nodes`, `session`, `workflow`, `execution`, `item`, `index`. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { input: { items: [{ price: 12 }] } },
  })
  @IsOptional()
  @IsObject()
  scope?: JsonObject;
}

export class EvaluationErrorView {
  @ApiProperty({ type: 'string', example: 'expression_syntax' })
  code: string;

  @ApiProperty({ type: 'string' })
  message: string;

  /** Number of characters of the expression before the error; null if the error has no position. */
  @ApiProperty({ type: 'integer', nullable: true })
  position: number | null;

  /** The part of the expression that caused the error, for example `input.customer.email`. */
  @ApiProperty({ type: 'string', nullable: true })
  path: string | null;
}

export class EvaluationView {
  /** The value of the expression; null if it has an error. */
  @ApiProperty({ description: 'Any JSON.', nullable: true })
  value: Json;

  /** Absent if the expression has a value. */
  @ApiPropertyOptional({ type: EvaluationErrorView })
  error?: EvaluationErrorView;
}

export class TestNodeBody {
  /**
   * Parameters that replace the saved `with` of the node, to test an unsaved change. Also requires `workflows:write`.
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  with?: JsonObject;

  /** Variables of the node's expressions: `input`, `nodes`, `session`, `item`, `index`. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { input: { name: 'Ada' }, nodes: { load: { output: [1, 2] } } },
  })
  @IsOptional()
  @IsObject()
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
  /** Time at which the node would wake up; null if only a signal wakes it. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  until: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  signal: string | null;
}

export class TestNodeView {
  /** `waiting`: an execution would wait here for a time or a signal. */
  @ApiProperty({ enum: ['completed', 'failed', 'waiting'] })
  status: 'completed' | 'failed' | 'waiting';

  @ApiProperty({ description: 'Any JSON.', nullable: true })
  output: Json;

  /** Absent unless the node failed. */
  @ApiPropertyOptional({ type: TestErrorView })
  error?: TestErrorView;

  /** Absent unless the node waits. */
  @ApiPropertyOptional({ type: TestWaitView })
  waiting_for?: TestWaitView;

  /** Log lines of the node. */
  @ApiProperty({ type: 'string', isArray: true })
  logs: readonly string[];

  @ApiProperty({ type: 'integer', minimum: 0 })
  duration_ms: number;
}
