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

/** Filter of executions. At least one field is required. */
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

  /** Top-level metadata that an execution must have. Values are compared as text. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @IsObject()
  metadata?: Record<string, string>;
}

/** An action on many executions. */
export class BulkBody {
  @ApiProperty({ enum: BULK_ACTIONS, example: 'cancel' })
  @IsIn(BULK_ACTIONS)
  action: BulkAction;

  @ApiProperty({ type: () => BulkFilterBody, example: { ids: [ID_EXAMPLE] } })
  @IsObject()
  @ValidateNested()
  @Type(() => BulkFilterBody)
  filter: BulkFilterBody;

  /** Reason of the cancellations; only for `cancel`. */
  @ApiPropertyOptional({ type: 'string', maxLength: 1000, example: 'Ordered twice.' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  /** Version of the workflow that the new executions run; only for `retry`. */
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
  /** Number of executions that this request processed. */
  @ApiProperty({ type: 'integer', example: 12 })
  matched: number;

  @ApiProperty({ type: 'integer', example: 12 })
  succeeded: number;

  @ApiProperty({ type: 'integer', example: 0 })
  failed: number;

  /** Errors of the first failed executions, up to 20. */
  @ApiProperty({ type: () => [BulkErrorView] })
  errors: readonly BulkErrorView[];

  /** Whether more executions match. Repeat the request to process them. */
  @ApiProperty({ type: 'boolean', example: false })
  has_more: boolean;
}
