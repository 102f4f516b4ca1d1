import { ConflictError, NotFoundError } from '../errors/index.js';

/**
 * Thrown inside a commit of a process that lost the lease of the execution. Another process took over the execution, or
 * the execution was cancelled. Nothing was written; the process must stop the run and drop its results.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(readonly executionId: string) {
    super(`This process no longer holds the lease of the execution ${executionId}.`);
  }
}

/**
 * Thrown when an event was appended after the request had read the execution. The request may read the execution again
 * and retry.
 */
export class ExecutionChangedError extends ConflictError {
  constructor() {
    super('execution_changed', 'The execution changed during the request. Try again.');
  }
}

/** Thrown inside the commit of a start when another unfinished execution has the deduplication key. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';
}

/** Thrown when no execution has the id. */
export class ExecutionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('execution', id);
  }
}

/** Thrown when a request would change an execution that has ended. */
export class ExecutionFinishedError extends ConflictError {
  constructor(status: string) {
    super('execution_finished', `The execution has ended (${status}) and can no longer change.`, {
      status,
    });
  }
}

/** Thrown when an execution would run or start a child although one of its ancestors has ended. */
export class AncestorEndedError extends Error {
  override readonly name = 'AncestorEndedError';

  constructor(readonly executionId: string) {
    super(`An ancestor of ${executionId} has ended.`);
  }
}
