import { ConflictError } from '../errors/index.js';

/** Thrown when an execution is to start whose deduplication key another one has, and that is to be no success. */
export class DuplicateExecutionError extends ConflictError {
  /** @param executionId the one that has not ended */
  constructor(executionId: string) {
    super(
      'duplicate_execution',
      `The execution ${executionId} has this deduplication key and has not ended.`,
      { execution_id: executionId },
    );
  }
}

/** Thrown when a project has as many executions that have not ended as it may. */
export class TooManyExecutionsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_executions',
      `The project has ${limit} executions that have not ended, the most it may have; try again when some have ended, or cancel some.`,
      { limit },
    );
  }
}

/** Thrown when a workflow that is not active is to be started. */
export class WorkflowNotActiveError extends ConflictError {
  constructor(status: string) {
    super('workflow_not_active', `The workflow is ${status}; only an active one can be started.`, { status });
  }
}
