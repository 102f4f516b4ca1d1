import { ConflictError, NotFoundError, ServiceError } from '../errors/index.js';
import type { SecretUser } from './secret-users.js';

const MAX_NAMED_USERS = 100;

export class SecretNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('secret', id);
  }
}

/** Thrown when a project already has a secret with the name of a new secret. */
export class SecretExistsError extends ConflictError {
  constructor(name: string) {
    super(
      'secret_exists',
      `The project already has a secret ${name}. Change its value with PATCH, or choose another name.`,
    );
  }
}

export class SecretChangedError extends ConflictError {
  constructor() {
    super(
      'secret_changed',
      'The secret was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

/** Thrown when a client deletes a secret that an active workflow, hook or webhook uses. */
export class SecretInUseError extends ConflictError {
  constructor(name: string, users: readonly SecretUser[]) {
    const [first] = users;
    const others = users.length > 1 ? ` and ${users.length - 1} more` : '';
    super(
      'secret_in_use',
      `The secret ${name} is used by the ${first?.type ?? 'workflow'} "${first?.name ?? ''}"${others}. Remove all references to the secret first, or delete it with ?force=true.`,
      { used_by: users.slice(0, MAX_NAMED_USERS) },
    );
  }
}

/** Thrown when the value of a secret cannot be read or decrypted. */
export class SecretUnavailableError extends ServiceError {
  /** @param reason a string, because an error as cause could count as an outage of the database */
  constructor(provider: string, names: readonly string[], reason: string) {
    super(
      503,
      'secret_unavailable',
      `The secret provider ${provider} could not read secrets (${names.join(', ')}): ${reason}`,
      {
        retryAfterSeconds: 5,
      },
    );
  }
}
