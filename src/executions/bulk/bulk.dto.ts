import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsUUID } from 'class-validator';
import { Choice, Nested, OptionalChoice, OptionalObject, OptionalText } from '../../fields/index.js';
import { ListExecutionsQuery } from '../execution.dto.js';
import { RETRY_VERSIONS } from '../retry/retry.dto.js';
import { BULK_REQUEST_ACTIONS, type BulkRequestAction, MAX_PER_CALL } from './bulk.js';

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
  @OptionalObject({ additionalProperties: { type: 'string' } })
  metadata?: Record<string, string>;
}

/** Request for an action on all executions that match a filter. */
export class BulkBody {
  @Choice({ enum: BULK_REQUEST_ACTIONS, example: 'cancel' })
  action: BulkRequestAction;

  @Nested(() => BulkFilterBody, { example: { ids: [ID_EXAMPLE] } })
  filter: BulkFilterBody;

  /** Reason for a cancellation or pause, stored with each execution. Ignored for other actions. */
  @OptionalText({ maxLength: 1000, example: 'Ordered twice.' })
  reason?: string;

  /** Version of the workflow that the retries run. Ignored unless `action` is `retry`. */
  @OptionalChoice({ enum: RETRY_VERSIONS, default: 'same' })
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
