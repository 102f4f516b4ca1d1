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
export class ExecutionChangedError extends Error {
  override readonly name = 'ExecutionChangedError';

  constructor(readonly executionId: string) {
    super(`The execution ${executionId} went on while it was to be changed.`);
  }
}
