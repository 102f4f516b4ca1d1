import { ConflictError, NotFoundError, PermissionError, ValidationError } from '../errors/index.js';

export class UserNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('user', id);
  }
}

export class UserOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`Your key has no access to the user ${id}.`, 'user_out_of_reach');
  }
}

/** Thrown if a caller may not change the record of another person. */
export class UserNotYoursError extends PermissionError {
  constructor() {
    super(
      'You can change your own profile. Admins can also change the name and allowed addresses of users whose only team is theirs and whose role is not higher.',
      'user_not_yours',
    );
  }
}

/** Thrown if a caller uses an API key of one project for data that belongs to a whole team or to a user. */
export class BeyondProjectError extends PermissionError {
  constructor() {
    super(
      'This key is bound to a project and cannot be used for data of a team or user.',
      'project_bound_key',
    );
  }
}

/** Thrown if a list of allowed IP addresses would exclude the IP address of the caller. */
export class WouldLockOutCallerError extends ConflictError {
  constructor(address: string) {
    super(
      'would_lock_out_caller',
      `The list allowed_ips excludes your own address${address === '' ? '' : ` ${address}`}. Add your address, or use ?force=true.`,
      { address },
    );
  }
}

export class UserChangedError extends ConflictError {
  constructor() {
    super(
      'user_changed',
      'The user was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

export class EmailTakenError extends ConflictError {
  constructor(email: string) {
    super('email_taken', `A user with the address ${email} already exists.`);
  }
}

export class InvalidUserError extends ValidationError {
  /** @param reason the rule, without the name of the field: `must be an email address` */
  constructor(field: 'email' | 'name' | 'password' | 'preferences.time_zone', reason: string) {
    const code = `invalid_${field.replace('preferences.', '')}`;
    super([{ path: field, code, message: reason }], code);
  }
}
