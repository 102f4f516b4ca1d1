import { ConflictError } from '../../errors/index.js';

/** Thrown when an execution that is still under way is to be run again. */
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

/** Thrown when what failed is to be retried, and nothing did. */
export class NothingFailedError extends ConflictError {
  constructor() {
    super(
      'nothing_failed',
      'Every node of this execution is done; retry from "start", or from the node to begin with.',
    );
  }
}
