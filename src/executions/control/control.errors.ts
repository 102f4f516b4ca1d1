import { ConflictError } from '../../errors/index.js';

export class ExecutionNotPausedError extends ConflictError {
  constructor(status: string) {
    super('execution_not_paused', `The execution is ${status}. Only paused executions can be resumed.`, {
      status,
    });
  }
}

export class InboxFullError extends ConflictError {
  constructor() {
    super(
      'inbox_full',
      'The inbox of this execution is full. Send the signal again after nodes have consumed earlier signals.',
    );
  }
}
