import { ConflictError } from '../errors/index.js';

/** Thrown by a start with `on_conflict: fail` if an unfinished execution has the same deduplication key. */
export class DuplicateExecutionError extends ConflictError {
  constructor(executionId: string) {
    super(
      'duplicate_execution',
      `The unfinished execution ${executionId} already has this deduplication key.`,
      {
        execution_id: executionId,
      },
    );
  }
}

/** Thrown by a start if the project has the maximum number of unfinished executions. */
export class TooManyExecutionsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_executions',
      `The project has the maximum of ${limit} unfinished executions. Cancel some, or try again when some have ended.`,
      { limit },
    );
  }
}

export class WorkflowNotActiveError extends ConflictError {
  constructor(status: string) {
    super('workflow_not_active', `The workflow is ${status}. Only active workflows can be started.`, {
      status,
    });
  }
}
