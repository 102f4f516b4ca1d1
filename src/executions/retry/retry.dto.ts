import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, isIn, isInt, IsOptional, max, min, ValidateBy } from 'class-validator';
import type { Json } from '../../expressions/index.js';
import { OptionalText } from '../../fields/index.js';
import { BodyMayBeAbsent } from '../../http/index.js';
import { MAX_VERSION } from '../execution.dto.js';

export const RETRY_VERSIONS = ['same', 'latest'] as const;

/**
 * Workflow version that a retry runs. `same`: the version of the retried execution. `latest`: the newest version. A
 * number: that version.
 */
export type RetryVersion = (typeof RETRY_VERSIONS)[number] | number;

function isRetryVersion(value: unknown): boolean {
  return isIn(value, [...RETRY_VERSIONS]) || (isInt(value) && min(value, 1) && max(value, MAX_VERSION));
}

@BodyMayBeAbsent()
export class RetryExecutionBody {
  /**
   * Where the retry starts. `failed`: run all nodes that have not completed. `start`: run all nodes. Id of a node: run
   * this node and all nodes that depend on it.
   */
  @OptionalText({ maxLength: 64, default: 'failed', example: 'failed' })
  from?: string;

  /** Version of the workflow that the retry runs. In another version, nodes whose definition differs run again. */
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

  /** Input of the new execution. Default: the input of the retried execution. Allowed only with `from: "start"`. */
  @ApiPropertyOptional({ description: 'Any JSON.', nullable: true, example: { name: 'Ada' } })
  @Allow()
  input?: Json;
}
