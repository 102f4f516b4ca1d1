import { ConflictError } from '../../errors/index.js';

/** Thrown when a request retries an execution that has not ended. */
export class ExecutionNotFinishedError extends ConflictError {
  constructor(status: string) {
    super(
      'execution_not_finished',
      `The execution has not ended (${status}); only one that has is retried.`,
      {
        status,
      },
    );
  }
}

/** Thrown when a request retries failed nodes and no node failed. */
export class NothingFailedError extends ConflictError {
  constructor() {
    super(
      'nothing_failed',
      'Every node of this execution is done; retry from "start", or from the node to begin with.',
    );
  }
}
