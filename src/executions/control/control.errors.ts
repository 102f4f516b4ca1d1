import { ConflictError } from '../../errors/index.js';

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
