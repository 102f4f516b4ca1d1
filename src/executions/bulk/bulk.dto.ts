import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { ListExecutionsQuery } from '../execution.dto.js';
import { RETRY_VERSIONS } from '../retry/retry.dto.js';
import { BULK_ACTIONS, type BulkAction, MAX_PER_CALL } from './bulk.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';

/** Filter that selects executions. At least one field is required. */
class BulkFilterBody extends OmitType(ListExecutionsQuery, [
  'limit',
  'offset',
  'order',
  'cursor',
  'metadata',
  'q',
]) {
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MAX_PER_CALL })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_PER_CALL)
  @IsUUID(undefined, { each: true })
  ids?: string[];

  /**
   * Required metadata by top-level key. An execution matches if it has all given values. Values are compared as text.
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @IsObject()
  metadata?: Record<string, string>;
}

/** Request for an action on all executions that match a filter. */
export class BulkBody {
  @ApiProperty({ enum: BULK_ACTIONS, example: 'cancel' })
  @IsIn(BULK_ACTIONS)
  action: BulkAction;

  @ApiProperty({ type: () => BulkFilterBody, example: { ids: [ID_EXAMPLE] } })
  @IsObject()
  @ValidateNested()
  @Type(() => BulkFilterBody)
  filter: BulkFilterBody;

  /** Reason for a cancellation or pause, stored with each execution. Ignored for other actions. */
  @ApiPropertyOptional({ type: 'string', maxLength: 1000, example: 'Ordered twice.' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  /** Version of the workflow that the retries run. Ignored unless `action` is `retry`. */
  @ApiPropertyOptional({ enum: RETRY_VERSIONS, default: 'same' })
  @IsOptional()
  @IsIn(RETRY_VERSIONS)
  version?: (typeof RETRY_VERSIONS)[number];
}

class BulkErrorView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  execution_id: string;

  @ApiProperty({ type: 'string', example: 'execution_finished' })
  code: string;

  @ApiProperty({
    type: 'string',
    example: 'The execution has ended (completed) and can no longer change.',
  })
  message: string;
}

/** Result of a bulk action. */
export class BulkView {
  /** Number of executions that this request processed, at most 1,000. */
  @ApiProperty({ type: 'integer', example: 12 })
  matched: number;

  @ApiProperty({ type: 'integer', example: 12 })
  succeeded: number;

  @ApiProperty({ type: 'integer', example: 0 })
  failed: number;

  /** Errors of at most 20 failed executions. */
  @ApiProperty({ type: () => [BulkErrorView] })
  errors: readonly BulkErrorView[];

  /** True if unprocessed executions match the filter. Repeat the request to process them. */
  @ApiProperty({ type: 'boolean', example: false })
  has_more: boolean;
}
