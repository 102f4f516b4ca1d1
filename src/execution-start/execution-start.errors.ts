import { ConflictError } from '../errors/index.js';

/** Thrown when another unfinished execution has the deduplication key, and the start is to fail in that case. */
export class DuplicateExecutionError extends ConflictError {
  /** @param executionId the unfinished execution with the key */
  constructor(executionId: string) {
    super(
      'duplicate_execution',
      `The execution ${executionId} has this deduplication key and has not ended.`,
      { execution_id: executionId },
    );
  }
}

/** Thrown when a project has the maximum number of unfinished executions. */
export class TooManyExecutionsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_executions',
      `The project has ${limit} executions that have not ended, the most it may have; try again when some have ended, or cancel some.`,
      { limit },
    );
  }
}

/** Thrown when a workflow that is not active is started. */
export class WorkflowNotActiveError extends ConflictError {
  constructor(status: string) {
    super('workflow_not_active', `The workflow is ${status}; only an active one can be started.`, { status });
  }
}
