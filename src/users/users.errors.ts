import { ConflictError, NotFoundError, PermissionError, ValidationError } from '../errors/index.js';

/** Thrown when no user has the id. */
export class UserNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('user', id);
  }
}

/** Thrown when a user is not in the key's team. */
export class UserOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key does not reach the user ${id}.`, 'user_out_of_reach');
  }
}

/** Thrown when a caller changes another person's record without being admin of that person's only team. */
export class UserNotYoursError extends PermissionError {
  constructor() {
    super(
      'A user is changed by that user, or by an admin of the one team that the user is in, of the same role at least.',
      'user_not_yours',
    );
  }
}

/** Thrown when a key that is bound to a project changes something beyond that project. */
export class BeyondProjectError extends PermissionError {
  constructor() {
    super('This key is bound to a project; this reaches beyond it.', 'project_bound_key');
  }
}

/** Thrown when an address list would exclude the address of its own request. */
export class WouldLockOutCallerError extends ConflictError {
  constructor(address: string) {
    super(
      'would_lock_out_caller',
      `This list excludes your own address${address === '' ? '' : ` ${address}`}; add it, or set the list with ?force=true.`,
      { address },
    );
  }
}

/** Thrown when another request changed the user at the same time. */
export class UserChangedError extends ConflictError {
  constructor() {
    super(
      'user_changed',
      'The user was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}

/** Thrown when an email address belongs to another person. */
export class EmailTakenError extends ConflictError {
  constructor(email: string) {
    super('email_taken', `There is a user with the address ${email} already.`);
  }
}

/** Thrown when a field of a person is not acceptable. */
export class InvalidUserError extends ValidationError {
  /** @param reason the rule, without the field's name: `must be an email address` */
  constructor(field: 'email' | 'name' | 'password', reason: string) {
    super([{ path: field, code: `invalid_${field}`, message: reason }], `invalid_${field}`);
  }
}
