import type { JsonObject } from '../expressions/index.js';
import { ConflictError, NotFoundError } from '../errors/index.js';
import { MAX_DOCUMENT_BYTES, type SessionStatus } from './session.js';

/** Thrown when no session has the id, or it was deleted. */
export class SessionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('session', id);
  }
}

/** Thrown when a closed or expired session is changed, or an execution would start in it. */
export class SessionClosedError extends ConflictError {
  constructor(status: Exclude<SessionStatus, 'active'>) {
    super('session_closed', `The session is ${status}; it takes no changes and no executions any more.`, {
      status,
    });
  }
}

/** Thrown when a session is deleted while executions of it are unfinished. */
export class SessionBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'session_has_running_executions',
      `${running} executions of this session have not ended; wait for them, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when another request changed the session at the same time. */
export class SessionChangedError extends ConflictError {
  constructor() {
    super(
      'session_changed',
      'The session was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}

/** Thrown when a node expects another version of the state. */
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

/** Thrown when a node's change would exceed the maximum size of the state. */
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
    super('external_id_taken', 'Another session took this external_id at the same time; try again.');
  }
}
