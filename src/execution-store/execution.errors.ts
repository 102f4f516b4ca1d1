import { ConflictError, NotFoundError } from '../errors/index.js';

/** Thrown by the commit of a process that has lost the lease of the execution. The process must stop the run. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(readonly executionId: string) {
    super(`This process no longer holds the lease of the execution ${executionId}.`);
  }
}

/**
 * Thrown if an execution changed between the read and the write of the same request. The client may try the request
 * again.
 */
export class ExecutionChangedError extends ConflictError {
  constructor() {
    super('execution_changed', 'The execution changed during the request. Try again.');
  }
}

/** Thrown by the commit of a start if another unfinished execution of the workflow has the same deduplication key. */
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

/** Thrown if an execution would run or start a child although one of its ancestors has ended. */
export class AncestorEndedError extends Error {
  override readonly name = 'AncestorEndedError';

  constructor(readonly executionId: string) {
    super(`The execution ${executionId} cannot continue, because an ancestor of the execution has ended.`);
  }
}
