import { AuthenticationError, NotFoundError, PermissionError } from '../../errors/index.js';

/** Thrown when the email address and the password do not match, or the person is disabled. */
export class InvalidCredentialsError extends AuthenticationError {
  constructor() {
    super('The email address or password is wrong.', 'invalid_credentials');
  }
}

/**
 * Thrown when the sign-in of a cookie is unknown or has expired, or when the person is disabled or has left the team.
 */
export class SignInEndedError extends AuthenticationError {
  constructor() {
    super('This sign-in is no longer valid. Sign in again.', 'sign_in_ended');
  }
}

/** Thrown when a page of another origin sends a request with the sign-in cookie. */
export class CrossOriginError extends AuthenticationError {
  constructor() {
    super('The sign-in cookie works only for requests from the dashboard. Use an API key.', 'cross_origin');
  }
}

/** Thrown when a request that changes something has the sign-in cookie, but no valid CSRF token. */
export class CsrfTokenError extends PermissionError {
  constructor() {
    super(
      'The header X-CSRF-Token must contain the csrf_token from GET /v1/auth/sign-in.',
      'invalid_csrf_token',
    );
  }
}

/** Thrown when an API key calls a route that only signed-in people may call. */
export class SignInNeededError extends PermissionError {
  constructor() {
    super('This request needs a dashboard sign-in. An API key is not enough.', 'sign_in_needed');
  }
}

export class NoTeamError extends PermissionError {
  constructor() {
    super('You are not a member of any team. Ask an admin for an invitation.', 'no_team');
  }
}

/** Thrown when a signed-in person sends a wrong current password, for example to change the password. */
export class WrongPasswordError extends PermissionError {
  constructor() {
    super('The current password is wrong.', 'wrong_password');
  }
}

export class SignInNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('sign_in', id);
  }
}

export class SignInOutOfReachError extends PermissionError {
  constructor() {
    super(
      'This sign-in belongs to another user. You can end only your own sign-ins.',
      'sign_in_out_of_reach',
    );
  }
}

export class UnknownTeamError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

export class NotAMemberError extends PermissionError {
  constructor() {
    super('You are not a member of this team.', 'not_a_member');
  }
}
