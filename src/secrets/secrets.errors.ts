import { ConflictError, NotFoundError, ServiceError } from '../errors/index.js';
import type { SecretUser } from './secret-users.js';

/** Things that one response names. */
const MAX_NAMED_USERS = 100;

/** Thrown when there is no secret of an id, or it was deleted. */
export class SecretNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('secret', id);
  }
}

/** Thrown when a secret is created under a name that its project already has. */
export class SecretExistsError extends ConflictError {
  constructor(name: string) {
    super(
      'secret_exists',
      `The project already has a secret ${name}. Change its value with PATCH, or choose another name.`,
    );
  }
}

/** Thrown when a secret was changed by another request at the same time. */
export class SecretChangedError extends ConflictError {
  constructor() {
    super(
      'secret_changed',
      'The secret was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}

/** Thrown when a secret is deleted that an active workflow, hook or webhook names. */
export class SecretInUseError extends ConflictError {
  constructor(name: string, users: readonly SecretUser[]) {
    const [first] = users;
    const others = users.length > 1 ? ` and ${users.length - 1} more` : '';
    super(
      'secret_in_use',
      `The secret ${name} is in use by the ${first?.type ?? 'workflow'} "${first?.name ?? ''}"${others}. Remove the name there first, or delete it anyway with ?force=true.`,
      { used_by: users.slice(0, MAX_NAMED_USERS) },
    );
  }
}

/** Thrown when a provider cannot give the value of a secret right now, or cannot decrypt it. */
export class SecretUnavailableError extends ServiceError {
  /** @param reason without a cause: a vault that refuses connections is no outage of the database */
  constructor(provider: string, names: readonly string[], reason: string) {
    super(
      503,
      'secret_unavailable',
      `The ${provider} could not give the secret ${names.join(', ')}: ${reason}`,
      {
        retryAfterSeconds: 5,
      },
    );
  }
}
