import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';

/** As many as an expression may have. */
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

  /** What the expression reads, by name: `input`, `nodes`, `session`, `workflow`, `execution`, `item`, `index`. */
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

  /** Characters of the expression before the error; null where the error has no place in it. */
  @ApiProperty({ type: 'integer', nullable: true })
  position: number | null;

  /** What the error is about, for example `input.customer.email`. */
  @ApiProperty({ type: 'string', nullable: true })
  path: string | null;
}

export class EvaluationView {
  /** The value; null where there is an error. */
  @ApiProperty({ description: 'Any JSON.', nullable: true })
  value: Json;

  /** Absent where the expression has a value. */
  @ApiPropertyOptional({ type: EvaluationErrorView })
  error?: EvaluationErrorView;
}

export class TestNodeBody {
  /**
   * Parameters that replace the saved `with`, for an unsaved change. Needs `workflows:write`, too.
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  with?: JsonObject;

  /** What the node's expressions read, by name: `input`, `nodes`, `session`, `item`, `index`. */
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
  /** When it would go on by itself; null where only a signal wakes it. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  until: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  signal: string | null;
}

export class TestNodeView {
  /** `waiting`: an execution would sleep here until a time or a signal. */
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

  /** Lines that it logged. */
  @ApiProperty({ type: 'string', isArray: true })
  logs: readonly string[];

  @ApiProperty({ type: 'integer', minimum: 0 })
  duration_ms: number;
}
