import { ConflictError } from '../../errors/index.js';

/** Thrown when a request retries an execution that has not ended. */
export class ExecutionNotFinishedError extends ConflictError {
  constructor(status: string) {
    super(
      'execution_not_finished',
      `The execution has not ended (${status}). Only ended executions can be retried.`,
      {
        status,
      },
    );
  }
}

/** Thrown when a request retries the failed nodes of an execution in which no node failed. */
export class NothingFailedError extends ConflictError {
  constructor() {
    super('nothing_failed', 'Every node of this execution is done. Retry from "start" or from a node.');
  }
}
