import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Json } from '../../expressions/index.js';
import { BodyMayBeAbsent } from '../../http/index.js';

export const RETRY_VERSIONS = ['same', 'latest'] as const;

/** What a client sends to run an execution that ended again. */
@BodyMayBeAbsent()
export class RetryExecutionBody {
  /** `failed` runs what is not done, `start` everything; a node's id runs that node and what comes after it. */
  @ApiPropertyOptional({ type: 'string', maxLength: 64, default: 'failed', example: 'failed' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  from?: string;

  /** Of the workflow. With `latest`, a node that is defined otherwise by now runs again. */
  @ApiPropertyOptional({ enum: RETRY_VERSIONS, default: 'same' })
  @IsOptional()
  @IsIn(RETRY_VERSIONS)
  version?: (typeof RETRY_VERSIONS)[number];

  /** Another input; with `from: start` alone. */
  @ApiPropertyOptional({ description: 'Any JSON.', nullable: true, example: { name: 'Ada' } })
  @Allow()
  input?: Json;
}
