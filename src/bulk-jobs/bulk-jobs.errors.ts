import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

export class BulkJobNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('bulk job', id);
  }
}

/** Thrown when a bulk job belongs to a team or project that the API key cannot access. */
export class BulkJobOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key has no access to the project of the bulk job ${id}.`, 'bulk_job_out_of_reach');
  }
}

export class BulkJobFinishedError extends ConflictError {
  constructor(status: string) {
    super('bulk_job_finished', `The bulk job has ended (${status}) and can no longer change.`);
  }
}

/** Thrown when the team already has its maximum number of running bulk jobs. */
export class TooManyBulkJobsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_bulk_jobs',
      `The team has ${limit} running bulk jobs, which is the maximum. Wait until one of them has ended, or cancel one.`,
    );
  }
}

/** Makes a commit fail if the bulk job has a newer revision than the process has read. */
export class BulkJobTakenError extends Error {
  override readonly name = 'BulkJobTakenError';
}
