import { ConflictError } from '../../errors/index.js';

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

export class NothingFailedError extends ConflictError {
  constructor() {
    super(
      'nothing_failed',
      'No node of this execution failed. To run nodes again, retry from "start" or from a node.',
    );
  }
}
