import { AuthenticationError, ConflictError, NotFoundError } from '../errors/index.js';
import type { VerificationFault } from './verification.js';

export class HookNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('hook', id);
  }
}

/** Thrown when the token in the URL of a request is unknown or has expired. */
export class UnknownHookTokenError extends NotFoundError {
  constructor() {
    super('hook');
  }
}

export class HookChangedError extends ConflictError {
  constructor() {
    super(
      'hook_changed',
      'The hook was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

export class HookPausedError extends ConflictError {
  constructor() {
    super('hook_paused', 'The hook is paused, so nothing was started. Resume it and send the request again.');
  }
}

export class HookWorkflowDeletedError extends ConflictError {
  constructor() {
    super('hook_workflow_deleted', 'The workflow of this hook was deleted, so nothing was started.');
  }
}

/** Thrown when a hook should signal an execution, but no unfinished execution has the deduplication key. */
export class NoExecutionForKeyError extends ConflictError {
  constructor(key: string) {
    super(
      'no_execution_for_key',
      'No signal was sent, because no unfinished execution has this deduplication key.',
      {
        execution_key: key,
      },
    );
  }
}

/**
 * Thrown when a hook should signal an execution, but unfinished executions of several workflows have the deduplication
 * key.
 */
export class SeveralExecutionsForKeyError extends ConflictError {
  constructor(key: string) {
    super(
      'several_executions_for_key',
      'Executions of several workflows have this deduplication key. Set the workflow_id of the hook.',
      { execution_key: key },
    );
  }
}

export class HookVerificationError extends AuthenticationError {
  constructor({ code, reason }: VerificationFault) {
    super(reason, code);
  }
}

/** Thrown when the project does not have the secret that the hook needs to verify requests. */
export class HookSecretMissingError extends AuthenticationError {
  constructor(name: string) {
    super(
      `The signature cannot be verified because the project has no secret ${name}.`,
      'hook_secret_missing',
    );
  }
}

export class DeliveryRepeatedError extends Error {
  override readonly name = 'DeliveryRepeatedError';
}
