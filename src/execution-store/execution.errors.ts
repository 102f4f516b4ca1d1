import { ConflictError, NotFoundError } from '../errors/index.js';

/**
 * Thrown when a writer has lost the lease of an execution: another process took it over, or it was cancelled. Nothing
 * of the commit was written; the writer stops and drops its work.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(readonly executionId: string) {
    super(`The execution ${executionId} is no longer held by this writer.`);
  }
}

/**
 * Thrown when an event was appended after a request had read the execution that it changes. Read it again and retry.
 */
export class ExecutionChangedError extends ConflictError {
  constructor() {
    super('execution_changed', 'The execution went on while it was to be changed; try again.');
  }
}

/** Thrown in the commit of a start when another unfinished execution holds its deduplication key. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';
}

/** Thrown when no execution has the id. */
export class ExecutionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('execution', id);
  }
}

/** Thrown when a request changes an execution that has ended. */
export class ExecutionFinishedError extends ConflictError {
  constructor(status: string) {
    super('execution_finished', `The execution has ended (${status}) and does not change any more.`, {
      status,
    });
  }
}

/** Thrown when an execution starts a child, or is about to run, although one of its ancestors has ended. */
export class AncestorEndedError extends Error {
  override readonly name = 'AncestorEndedError';

  constructor(readonly executionId: string) {
    super(`An execution above ${executionId} has ended.`);
  }
}
