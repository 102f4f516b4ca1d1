import { ConflictError, NotFoundError } from '../errors/index.js';

/** Thrown by the commit of a process that has lost its lease. The process must stop the run. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(readonly executionId: string) {
    super(`This process no longer holds the lease of the execution ${executionId}.`);
  }
}

/** Thrown when an execution changed after the request had read it. The request may be retried. */
export class ExecutionChangedError extends ConflictError {
  constructor() {
    super('execution_changed', 'The execution changed during the request. Try again.');
  }
}

/** Thrown by the commit of a start when another unfinished execution has the deduplication key. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';
}

export class ExecutionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('execution', id);
  }
}

export class ExecutionFinishedError extends ConflictError {
  constructor(status: string) {
    super('execution_finished', `The execution has ended (${status}) and can no longer change.`, {
      status,
    });
  }
}

/** Thrown when an execution would run or start a child below an ended ancestor. */
export class AncestorEndedError extends Error {
  override readonly name = 'AncestorEndedError';

  constructor(readonly executionId: string) {
    super(`An ancestor of ${executionId} has ended.`);
  }
}
