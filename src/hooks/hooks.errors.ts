import { AuthenticationError, ConflictError, NotFoundError } from '../errors/index.js';
import type { VerificationFault } from './verification.js';

/** Thrown when there is no hook with an id, or it was deleted. */
export class HookNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('hook', id);
  }
}

/** Thrown when a URL of a hook has a token that is unknown or has expired. */
export class UnknownHookTokenError extends NotFoundError {
  constructor() {
    super('hook');
  }
}

/** Thrown when a hook was changed by another request at the same time. */
export class HookChangedError extends ConflictError {
  constructor() {
    super('hook_changed', 'The hook was changed at the same time; read it again and repeat the change.');
  }
}

/** Thrown when a request comes to a paused hook. */
export class HookPausedError extends ConflictError {
  constructor() {
    super('hook_paused', 'The hook is paused; nothing was started. Resume it and send the request again.');
  }
}

/** Thrown when the workflow of a hook was deleted. */
export class HookWorkflowDeletedError extends ConflictError {
  constructor() {
    super('hook_workflow_deleted', 'The workflow of this hook was deleted.');
  }
}

/** Thrown when no unfinished execution has the deduplication key that a signal names. */
export class NoExecutionForKeyError extends ConflictError {
  constructor(key: string) {
    super('no_execution_for_key', 'No unfinished execution has this deduplication key.', {
      execution_key: key,
    });
  }
}

/** Thrown when several workflows have an unfinished execution with the key that a signal names. */
export class SeveralExecutionsForKeyError extends ConflictError {
  constructor(key: string) {
    super(
      'several_executions_for_key',
      'Executions of several workflows have this deduplication key; give the hook a workflow_id.',
      { execution_key: key },
    );
  }
}

/** Thrown when a request carries no valid credential or signature of its sender. */
export class HookVerificationError extends AuthenticationError {
  constructor({ code, reason }: VerificationFault) {
    super(reason, code);
  }
}

/** Thrown when the secret of a hook's verification does not exist. */
export class HookSecretMissingError extends AuthenticationError {
  constructor(name: string) {
    super(`The signature cannot be checked: the project has no secret ${name}.`, 'hook_secret_missing');
  }
}

/** Thrown when an accepted delivery has the same key. */
export class DeliveryRepeatedError extends Error {
  override readonly name = 'DeliveryRepeatedError';
}
