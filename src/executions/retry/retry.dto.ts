import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Json } from '../../expressions/index.js';
import { BodyMayBeAbsent } from '../../http/index.js';

export const RETRY_VERSIONS = ['same', 'latest'] as const;

/** Parameters of a retry. */
@BodyMayBeAbsent()
export class RetryExecutionBody {
  /**
   * `failed` runs the nodes that have not completed; `start` runs all nodes; a node id runs that node and all nodes
   * after it.
   */
  @ApiPropertyOptional({ type: 'string', maxLength: 64, default: 'failed', example: 'failed' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  from?: string;

  /** Version of the workflow. With `latest`, nodes whose definition has changed run again. */
  @ApiPropertyOptional({ enum: RETRY_VERSIONS, default: 'same' })
  @IsOptional()
  @IsIn(RETRY_VERSIONS)
  version?: (typeof RETRY_VERSIONS)[number];

  /** A new input; only with `from: start`. */
  @ApiPropertyOptional({ description: 'Any JSON.', nullable: true, example: { name: 'Ada' } })
  @Allow()
  input?: Json;
}
