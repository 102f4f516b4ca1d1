import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  ValidationError,
} from '../errors/index.js';
import type { Excess } from './key-rights.js';

/** Thrown when a key is malformed, unknown or deleted, or its owner may not use it any more. */
export class InvalidKeyError extends AuthenticationError {
  constructor() {
    super('This API key is not valid.', 'invalid_key');
  }
}

/** Thrown when a key's time is over. */
export class ExpiredKeyError extends AuthenticationError {
  constructor() {
    super('This API key has expired.', 'expired_key');
  }
}

/** Thrown when a valid key is used from an address outside of its own list or its owner's. */
export class AddressNotAllowedError extends PermissionError {
  constructor(address: string) {
    super(
      `This API key may not be used from ${address === '' ? 'this address' : address}.`,
      'address_not_allowed',
    );
  }
}

/** Thrown when a key would give more than whoever makes, changes or rotates it has. */
export class KeyExceedsMakerError extends PermissionError {
  constructor({ field, scope }: Excess) {
    super(
      scope === undefined
        ? `A key cannot reach further than yours: ${field} goes beyond it.`
        : `A key cannot give ${scope}: yours does not have it.`,
      'exceeds_own_rights',
      scope,
    );
  }
}

/** Thrown when there is no key of an id, or it was deleted. */
export class KeyNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('key', id);
  }
}

/** Thrown when a key is another team's, another project's, or another person's whose admin the caller is not. */
export class KeyOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`Your key does not reach the key ${id}.`, 'key_out_of_reach');
  }
}

/** Thrown when keys of somebody else are asked for by who is no admin. */
export class KeysOfOthersError extends PermissionError {
  constructor() {
    super('Only admins and owners see keys of others.', 'keys_of_others');
  }
}

/** Thrown when somebody else's key is rotated or made to reach further: it acts in that person's name. */
export class NotKeyOwnerError extends PermissionError {
  constructor() {
    super('Only its owner rotates a key or lets it reach further.', 'not_key_owner');
  }
}

/** Thrown when a key is rotated, or given more time, that another one has replaced already. */
export class KeyReplacedError extends ConflictError {
  constructor() {
    super('key_replaced', 'This key was rotated already; it ends when its overlap is over.');
  }
}

/** Thrown when a person has as many keys as a person may have. */
export class TooManyKeysError extends ConflictError {
  constructor(limit: number) {
    super('too_many_keys', `A person may have ${limit} API keys; delete one first.`, { limit });
  }
}

/** Thrown when a key, or the one that is to make another, was changed by somebody else in the same moment. */
export class KeyChangedError extends ConflictError {
  constructor() {
    super('key_changed', 'The key was changed in the same moment; read it again and repeat the change.');
  }
}

/** Thrown when a field of a key cannot be taken. */
export class InvalidKeyFieldError extends ValidationError {
  constructor(field: string, reason: string) {
    super([{ path: field, code: 'invalid', message: reason }]);
  }
}
