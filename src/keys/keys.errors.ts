import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  ValidationError,
} from '../errors/index.js';
import type { Excess } from './key-rights.js';

/** Thrown for an API key that is malformed, unknown or deleted, or whose owner is disabled or has left the team. */
export class InvalidKeyError extends AuthenticationError {
  constructor() {
    super('This API key is not valid.', 'invalid_key');
  }
}

export class ExpiredKeyError extends AuthenticationError {
  constructor() {
    super('This API key has expired.', 'expired_key');
  }
}

/** Thrown when the address list of the key or of its owner excludes the caller's address. */
export class AddressNotAllowedError extends PermissionError {
  constructor(address: string) {
    super(
      `This API key may not be used from ${address === '' ? 'this address' : address}.`,
      'address_not_allowed',
    );
  }
}

export class KeyExceedsMakerError extends PermissionError {
  constructor({ field, scope }: Excess) {
    super(
      scope === undefined
        ? `The value of ${field} would give the key more rights than you can grant.`
        : `You cannot grant the scope ${scope}, because your own key does not have it.`,
      'exceeds_own_rights',
      scope,
    );
  }
}

export class KeyNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('key', id);
  }
}

/** Thrown when the caller may not manage a key, because it belongs to another team, project or user. */
export class KeyOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`Your key has no access to the key ${id}.`, 'key_out_of_reach');
  }
}

export class KeysOfOthersError extends PermissionError {
  constructor() {
    super('Only admins and owners can see keys of other users.', 'keys_of_others');
  }
}

export class NotKeyOwnerError extends PermissionError {
  constructor() {
    super('Only the owner of a key can rotate it or extend its permissions.', 'not_key_owner');
  }
}

/** Thrown when a caller rotates a key that was already rotated, or extends the rights of a rotated key. */
export class KeyReplacedError extends ConflictError {
  constructor() {
    super('key_replaced', 'This key was already rotated. Change the key that replaced it instead.');
  }
}

export class TooManyKeysError extends ConflictError {
  constructor(limit: number) {
    super('too_many_keys', `A user may have at most ${limit} API keys. Delete one first.`, { limit });
  }
}

/** Thrown when a key, or the key that authenticates the request, was changed by another request at the same time. */
export class KeyChangedError extends ConflictError {
  constructor() {
    super(
      'key_changed',
      'The key was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

export class InvalidKeyFieldError extends ValidationError {
  constructor(field: string, reason: string) {
    super([{ path: field, code: 'invalid', message: reason }]);
  }
}
