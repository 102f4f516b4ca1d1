import { ConflictError, ValidationError } from '../platform/index.js';

/** Thrown when an email address belongs to another person already. */
export class EmailTakenError extends ConflictError {
  constructor(email: string) {
    super('email_taken', `There is a user with the address ${email} already.`);
  }
}

/** Thrown when a field of a new person cannot be taken. */
export class InvalidUserError extends ValidationError {
  /** @param reason what is asked for, without the field: `must be an email address` */
  constructor(field: 'email' | 'name' | 'password', reason: string) {
    super([{ path: field, code: `invalid_${field}`, message: reason }], `invalid_${field}`);
  }
}
