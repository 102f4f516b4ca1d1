import { AuthenticationError, NotFoundError, PermissionError } from '../../errors/index.js';

/** Thrown when an email address and a password do not match, or the person is disabled. */
export class InvalidCredentialsError extends AuthenticationError {
  constructor() {
    super('The email address or password is wrong.', 'invalid_credentials');
  }
}

/** Thrown when the cookie names an unknown or expired sign-in, or the person has left the selected team. */
export class SignInEndedError extends AuthenticationError {
  constructor() {
    super('This sign-in has expired. Sign in again.', 'sign_in_ended');
  }
}

/** Thrown when a page of another origin sends a request with the cookie. */
export class CrossOriginError extends AuthenticationError {
  constructor() {
    super('The sign-in cookie works only for requests of the dashboard. Use an API key.', 'cross_origin');
  }
}

/** Thrown when a request that changes something has the cookie but no valid CSRF token. */
export class CsrfTokenError extends PermissionError {
  constructor() {
    super('The header X-CSRF-Token must contain the csrf_token of this sign-in.', 'invalid_csrf_token');
  }
}

/** Thrown when a route for signed-in people is called with an API key. */
export class SignInNeededError extends PermissionError {
  constructor() {
    super('This needs a dashboard sign-in. API keys cannot do it.', 'sign_in_needed');
  }
}

/** Thrown when a person without a team signs in. */
export class NoTeamError extends PermissionError {
  constructor() {
    super('You are not a member of any team. Ask an admin for an invitation.', 'no_team');
  }
}

/** Thrown when a password change contains a wrong current password. */
export class WrongPasswordError extends PermissionError {
  constructor() {
    super('The current password is wrong.', 'wrong_password');
  }
}

/** Thrown when no active sign-in has the id. */
export class SignInNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('sign_in', id);
  }
}

/** Thrown when a sign-in belongs to another person. */
export class SignInOutOfReachError extends PermissionError {
  constructor() {
    super('This sign-in belongs to another user.', 'sign_in_out_of_reach');
  }
}

/** Thrown when no team has the id. */
export class UnknownTeamError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

/** Thrown when a person selects a team of which they are not a member. */
export class NotAMemberError extends PermissionError {
  constructor() {
    super('You are not a member of this team.', 'not_a_member');
  }
}
