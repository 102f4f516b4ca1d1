import { ApiProperty, OmitType } from '@nestjs/swagger';
import { BULK_ACTIONS, BulkBody, type BulkAction, filterToJson } from '../executions/index.js';
import type { JsonObject } from '../expressions/index.js';
import { Choice } from '../fields/index.js';
import { BULK_JOB_STATUSES, type BulkJob, type BulkJobStatus } from './bulk-job.js';

const ID_EXAMPLE = '0199a8c0-7777-7abc-8def-0123456789ab';

/**
 * Request for a bulk job: an action on every execution that matches a filter. `reason` applies to cancel and pause, and
 * `version` to retry.
 */
export class CreateBulkJobBody extends OmitType(BulkBody, ['action']) {
  @Choice({ enum: BULK_ACTIONS, example: 'cancel' })
  action: BulkAction;
}

class BulkJobFailureView {
  @ApiProperty({ type: 'string', example: 'execution_finished' })
  code: string;

  /** Error message of the first execution that failed with the error code `code`. */
  @ApiProperty({
    type: 'string',
    example: 'The execution has ended (completed) and can no longer change.',
  })
  message: string;

  @ApiProperty({ type: 'integer', example: 3 })
  count: number;

  /** Ids of the first 20 executions that failed with the error code `code`. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  execution_ids: readonly string[];
}

/** A bulk job and its progress. */
export class BulkJobView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ enum: BULK_ACTIONS, example: 'retry' })
  action: BulkAction;

  /** The requested filter. The job changes only executions that were created before the request. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { status: ['failed'] } })
  filter: JsonObject;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  reason: string | null;

  /** Status of the job. `stopped` means that the creator of the job may no longer change executions of the team. */
  @ApiProperty({ enum: BULK_JOB_STATUSES, example: 'running' })
  status: BulkJobStatus;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  status_reason: string | null;

  /**
   * Number of executions that matched the filter when the job was created. Increases if the job also processes
   * executions that match later.
   */
  @ApiProperty({ type: 'integer', example: 1100 })
  total: number;

  @ApiProperty({ type: 'integer', example: 400 })
  processed: number;

  @ApiProperty({ type: 'integer', example: 398 })
  succeeded: number;

  @ApiProperty({ type: 'integer', example: 2 })
  failed: number;

  /** Failed executions grouped by error code, for at most 20 codes. */
  @ApiProperty({ type: () => [BulkJobFailureView] })
  failures: readonly BulkJobFailureView[];

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  created_by: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  finished_at: string | null;
}

export function bulkJobView(job: BulkJob): BulkJobView {
  return {
    id: job.id,
    action: job.action,
    filter: filterToJson(job.filter),
    reason: job.reason,
    status: job.status,
    status_reason: job.statusReason,
    total: job.total,
    processed: job.processed,
    succeeded: job.succeeded,
    failed: job.failed,
    failures: job.failures.map(({ executionIds, ...failure }) => ({
      ...failure,
      execution_ids: executionIds,
    })),
    created_by: job.userId,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
    finished_at: job.finishedAt,
  };
}
