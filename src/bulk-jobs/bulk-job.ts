import type { BulkFilter, BulkAction } from '../executions/index.js';

/** Statuses of a bulk job. Every status except `running` is final. */
export const BULK_JOB_STATUSES = ['running', 'completed', 'cancelled', 'stopped'] as const;
export type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

export interface BulkJobFailure {
  readonly code: string;
  /** Error message of the first execution that failed with the error code `code`. */
  readonly message: string;
  readonly count: number;
  readonly executionIds: readonly string[];
}

/** A bulk job: an action on every execution that matches a filter. Times are ISO 8601. */
export interface BulkJob {
  readonly id: string;
  readonly teamId: string;
  /** Project of the API key that created the job. Null if the key is not limited to one project. */
  readonly projectId: string | null;
  readonly userId: string;
  readonly keyId: string | null;
  readonly action: BulkAction;
  /**
   * The requested filter. Its `createdBefore` is at most the creation time of the job. The job therefore does not
   * process the retries that it starts.
   */
  readonly filter: BulkFilter;
  readonly reason: string | null;
  readonly version: 'same' | 'latest';
  readonly status: BulkJobStatus;
  /** Why the job was stopped, as a sentence. Null unless the status is `stopped`. */
  readonly statusReason: string | null;
  /**
   * Number of executions that matched the filter when the job was created. Increases if the job also processes
   * executions that match later.
   */
  readonly total: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly failures: readonly BulkJobFailure[];
  /**
   * Ids of the executions that the job is processing now. After a crash, another process processes these ids again and
   * then counts each one once.
   */
  readonly page: readonly string[];
  /** Id of the last execution in `page`; the next page starts after this id. Null before the first page. */
  readonly afterId: string | null;
  /** Id of the process that runs the job. Null if no process runs the job. */
  readonly owner: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/** Result of the action on one execution. `error` is null if the action succeeded. */
export interface BulkOutcome {
  readonly executionId: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Maximum number of failed executions that a job lists for each error code. */
const MAX_LISTED = 20;

/** Maximum number of error codes that a job lists. Failures with other codes are only counted. */
const MAX_CODES = 20;

type Counts = Pick<BulkJob, 'processed' | 'succeeded' | 'failed' | 'failures'>;

export function countsAfter(job: Counts, outcomes: readonly BulkOutcome[]): Counts {
  const failures = new Map(job.failures.map((failure) => [failure.code, failure]));
  let failed = 0;
  for (const { executionId, error } of outcomes) {
    if (error === null) continue;
    failed += 1;
    const known = failures.get(error.code);
    if (known === undefined && failures.size === MAX_CODES) continue;
    const { message, count, executionIds } = known ?? { message: error.message, count: 0, executionIds: [] };
    failures.set(error.code, {
      code: error.code,
      message,
      count: count + 1,
      executionIds: executionIds.length < MAX_LISTED ? [...executionIds, executionId] : executionIds,
    });
  }
  return {
    processed: job.processed + outcomes.length,
    succeeded: job.succeeded + outcomes.length - failed,
    failed: job.failed + failed,
    failures: [...failures.values()],
  };
}
