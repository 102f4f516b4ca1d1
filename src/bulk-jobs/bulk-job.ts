import type { BulkFilter, BulkJobAction } from '../executions/index.js';

/** All except `running` are final. */
export const BULK_JOB_STATUSES = ['running', 'completed', 'cancelled', 'stopped'] as const;
export type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

export interface BulkJobFailure {
  readonly code: string;
  /** Error message of the first failed execution. */
  readonly message: string;
  readonly count: number;
  readonly executionIds: readonly string[];
}

/** An action on every execution that matches a filter. Times are ISO 8601. */
export interface BulkJob {
  readonly id: string;
  readonly teamId: string;
  /** The project of the creating key; null if the key is not bound to a project. */
  readonly projectId: string | null;
  readonly userId: string;
  readonly keyId: string | null;
  readonly action: BulkJobAction;
  /**
   * The requested filter. `createdBefore` excludes executions that start later, such as retries
   * made by the job.
   */
  readonly filter: BulkFilter;
  readonly reason: string | null;
  readonly version: 'same' | 'latest';
  readonly status: BulkJobStatus;
  /** Set only for the status `stopped`. */
  readonly statusReason: string | null;
  /** Number of executions that matched when the job was created. */
  readonly total: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly failures: readonly BulkJobFailure[];
  /**
   * Ids of the page in progress. After a crash another process repeats this page, so that each
   * execution is counted once.
   */
  readonly page: readonly string[];
  /** Last id of the page in progress; null before the first page. */
  readonly afterId: string | null;
  /** Id of the process that carries out the job; null if there is none. */
  readonly owner: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/** Null if the action succeeded. */
export interface BulkOutcome {
  readonly executionId: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Maximum number of listed executions per error code. */
const MAX_LISTED = 20;

/** Failures with further codes are only counted. */
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
