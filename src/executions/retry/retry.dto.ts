import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, isIn, isInt, IsOptional, IsString, max, MaxLength, min, ValidateBy } from 'class-validator';
import type { Json } from '../../expressions/index.js';
import { BodyMayBeAbsent } from '../../http/index.js';
import { MAX_VERSION } from '../execution.dto.js';

export const RETRY_VERSIONS = ['same', 'latest'] as const;

/** The version that a retry runs: `same` as the retried execution, the `latest` of the workflow, or a number. */
export type RetryVersion = (typeof RETRY_VERSIONS)[number] | number;

function isRetryVersion(value: unknown): boolean {
  return isIn(value, [...RETRY_VERSIONS]) || (isInt(value) && min(value, 1) && max(value, MAX_VERSION));
}

/** The fields of a retry. */
@BodyMayBeAbsent()
export class RetryExecutionBody {
  /**
   * `failed` runs the nodes that have not completed. `start` runs all nodes. The id of a node runs this node and all
   * nodes after it.
   */
  @ApiPropertyOptional({ type: 'string', maxLength: 64, default: 'failed', example: 'failed' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  from?: string;

  /** Version of the workflow. In another version, nodes whose definition has changed run again. */
  @ApiPropertyOptional({
    oneOf: [
      { type: 'string', enum: [...RETRY_VERSIONS] },
      { type: 'integer', minimum: 1, maximum: MAX_VERSION },
    ],
    default: 'same',
  })
  @IsOptional()
  @ValidateBy({
    name: 'isRetryVersion',
    validator: {
      validate: isRetryVersion,
      defaultMessage: () => '$property must be "same", "latest" or the number of a version',
    },
  })
  version?: RetryVersion;

  /** Input of the new execution; only with `from: start`. */
  @ApiPropertyOptional({ description: 'Any JSON.', nullable: true, example: { name: 'Ada' } })
  @Allow()
  input?: Json;
}
