import { AuthenticationError, PermissionError, ValidationError } from '../platform/index.js';

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

/** Thrown when a new key would give more than its maker has. */
export class KeyExceedsMakerError extends PermissionError {
  constructor(scope: string) {
    super(`A key cannot give ${scope}: its maker does not have it.`, 'exceeds_own_rights', scope);
  }
}

/** Thrown when a field of a new key cannot be taken. */
export class InvalidKeyFieldError extends ValidationError {
  constructor(field: string, reason: string) {
    super([{ path: field, code: 'invalid', message: reason }]);
  }
}
