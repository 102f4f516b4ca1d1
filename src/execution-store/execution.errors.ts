import { ConflictError, NotFoundError } from '../http/index.js';

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

/** Thrown when an execution is to start whose deduplication key another one has, and that is to be no success. */
export class DuplicateExecutionError extends ConflictError {
  /** @param executionId the one that has not ended */
  constructor(executionId: string) {
    super(
      'duplicate_execution',
      `The execution ${executionId} has this deduplication key and has not ended.`,
      { execution_id: executionId },
    );
  }
}

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

/** Thrown when an execution that is not paused is to be resumed. */
export class ExecutionNotPausedError extends ConflictError {
  constructor(status: string) {
    super('execution_not_paused', `The execution is ${status}; only a paused one can be resumed.`, {
      status,
    });
  }
}

/** Thrown when so much lies in an execution's inbox already that nothing more is taken. */
export class InboxFullError extends ConflictError {
  constructor() {
    super('inbox_full', 'Too many signals wait for this execution to take them up; send this one later.');
  }
}

/** Thrown when a wait was decided before. */
export class AlreadyDecidedError extends ConflictError {
  constructor() {
    super('already_decided', 'This was decided before.');
  }
}

/** Thrown when a project has as many executions that have not ended as it may. */
export class TooManyExecutionsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_executions',
      `The project has ${limit} executions that have not ended, the most it may have; try again when some have ended, or cancel some.`,
      { limit },
    );
  }
}

/** Thrown when an execution is to start a child, or to run, and one above it has ended. */
export class AncestorEndedError extends Error {
  override readonly name = 'AncestorEndedError';

  constructor(readonly executionId: string) {
    super(`An execution above ${executionId} has ended.`);
  }
}

/** Thrown when a workflow that is not active is to be started. */
export class WorkflowNotActiveError extends ConflictError {
  constructor(status: string) {
    super('workflow_not_active', `The workflow is ${status}; only an active one can be started.`, { status });
  }
}
