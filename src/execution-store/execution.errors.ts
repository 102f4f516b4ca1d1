import { ConflictError, NotFoundError } from '../errors/index.js';

/**
 * Thrown when a writer's hold on an execution is gone: another process took it over, or it was cancelled.
 * The writer stops and its work is dropped; nothing of it was written.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(readonly executionId: string) {
    super(`The execution ${executionId} is no longer held by this writer.`);
  }
}

/** Thrown when something was appended between reading an execution and a request's change to it; read again. */
export class ExecutionChangedError extends ConflictError {
  constructor() {
    super('execution_changed', 'The execution went on while it was to be changed; try again.');
  }
}

/** Thrown inside the commit of a start when its deduplication key is that of another execution that has not ended. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';
}

/** Thrown when there is no execution of an id. */
export class ExecutionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('execution', id);
  }
}

/** Thrown when an execution that has ended is to be changed. */
export class ExecutionFinishedError extends ConflictError {
  constructor(status: string) {
    super('execution_finished', `The execution has ended (${status}) and does not change any more.`, {
      status,
    });
  }
}

/** Thrown when an execution is to start a child, or to run, and one above it has ended. */
export class AncestorEndedError extends Error {
  override readonly name = 'AncestorEndedError';

  constructor(readonly executionId: string) {
    super(`An execution above ${executionId} has ended.`);
  }
}
