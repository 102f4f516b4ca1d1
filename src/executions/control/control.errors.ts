import { ConflictError } from '../../errors/index.js';

/** Thrown when a request resumes an execution that is not paused. */
export class ExecutionNotPausedError extends ConflictError {
  constructor(status: string) {
    super('execution_not_paused', `The execution is ${status}; only a paused one can be resumed.`, {
      status,
    });
  }
}

/** Thrown when an execution's inbox is full. */
export class InboxFullError extends ConflictError {
  constructor() {
    super('inbox_full', 'Too many signals wait for this execution to take them up; send this one later.');
  }
}
