import type { JsonObject } from '../expressions/index.js';
import { ConflictError, NotFoundError } from '../errors/index.js';
import { MAX_DOCUMENT_BYTES, type SessionStatus } from './session.js';

export class SessionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('session', id);
  }
}

/** Thrown when a request needs an active session, but the session is closed or expired. */
export class SessionClosedError extends ConflictError {
  constructor(status: Exclude<SessionStatus, 'active'>) {
    super('session_closed', `The session is ${status}. It accepts no changes and no executions.`, {
      status,
    });
  }
}

export class SessionBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'session_has_running_executions',
      `Unfinished executions of this session: ${running}. Wait for their end, or delete the session with ?cancel=true.`,
      { running },
    );
  }
}

export class SessionChangedError extends ConflictError {
  constructor() {
    super(
      'session_changed',
      'The session was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

export class SessionStateConflictError extends ConflictError {
  constructor(
    expected: number,
    actual: number,
    readonly versions: JsonObject = { expected_version: expected, state_version: actual },
  ) {
    super(
      'session_state_conflict',
      `The session state has version ${actual}, not ${expected}. Read it again and repeat the change.`,
      versions,
    );
  }
}

export class SessionStateTooLongError extends ConflictError {
  constructor(bytes: number) {
    super(
      'session_state_too_large',
      `The session state would have ${bytes} bytes of JSON. The maximum is ${MAX_DOCUMENT_BYTES}.`,
    );
  }
}

/** Thrown when another request has just created a session with the same external id in the project. */
export class ExternalIdTakenError extends ConflictError {
  constructor() {
    super(
      'external_id_taken',
      'Another session with this external_id was created at the same time. Try again.',
    );
  }
}
