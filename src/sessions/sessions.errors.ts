import type { JsonObject } from '../expressions/index.js';
import { ConflictError, NotFoundError } from '../errors/index.js';
import { MAX_DOCUMENT_BYTES, type SessionStatus } from './session.js';

/** Thrown when there is no session of an id, or it was deleted. */
export class SessionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('session', id);
  }
}

/** Thrown when a session that is closed or expired is to be changed, or an execution is to start in it. */
export class SessionClosedError extends ConflictError {
  constructor(status: Exclude<SessionStatus, 'active'>) {
    super('session_closed', `The session is ${status}; it takes no changes and no executions any more.`, {
      status,
    });
  }
}

/** Thrown when a session is to be deleted while executions of it have not ended. */
export class SessionBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'session_has_running_executions',
      `${running} executions of this session have not ended; wait for them, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when a session was changed by somebody else in the same moment. */
export class SessionChangedError extends ConflictError {
  constructor() {
    super(
      'session_changed',
      'The session was changed in the same moment; read it again and repeat the change.',
    );
  }
}

/** Thrown when a node expects another version of the state than it has. */
export class SessionStateConflictError extends ConflictError {
  constructor(
    expected: number,
    actual: number,
    readonly versions: JsonObject = { expected_version: expected, state_version: actual },
  ) {
    super(
      'session_state_conflict',
      `The state has version ${actual} and not ${expected}; read it again and repeat the change.`,
      versions,
    );
  }
}

/** Thrown when the state would be longer than it may be after a node's change. */
export class SessionStateTooLongError extends ConflictError {
  constructor(bytes: number) {
    super(
      'session_state_too_large',
      `The state would have ${bytes} bytes of JSON; ${MAX_DOCUMENT_BYTES} is the most.`,
    );
  }
}

/** Thrown when another session of the project got an external id first. */
export class ExternalIdTakenError extends ConflictError {
  constructor() {
    super('external_id_taken', 'Another session got this external_id in the same moment; try again.');
  }
}
