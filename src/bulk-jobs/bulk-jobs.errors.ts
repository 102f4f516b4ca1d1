import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when no bulk job has the id. */
export class BulkJobNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('bulk job', id);
  }
}

/**
 * Thrown when a bulk job belongs to another team, or when the key is bound to a project to which the job does not
 * belong.
 */
export class BulkJobOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key does not reach the bulk job ${id}.`, 'bulk_job_out_of_reach');
  }
}

/** Thrown when a bulk job that has ended is cancelled. */
export class BulkJobFinishedError extends ConflictError {
  constructor(status: string) {
    super('bulk_job_finished', `The bulk job has ended (${status}) and does not change any more.`);
  }
}

/** Thrown when a team already has the maximum number of running bulk jobs. */
export class TooManyBulkJobsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_bulk_jobs',
      `The team has ${limit} running bulk jobs; wait until one of them has ended, or cancel one.`,
    );
  }
}

/** Thrown inside a commit when another process or a cancellation has changed the bulk job in the meantime. */
export class BulkJobTakenError extends Error {
  override readonly name = 'BulkJobTakenError';
}
