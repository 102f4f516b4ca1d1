import { AuthenticationError, NotFoundError, PermissionError } from '../../errors/index.js';

/** Thrown when an email address and a password do not match, or the person is disabled. */
export class InvalidCredentialsError extends AuthenticationError {
  constructor() {
    super('The email address or the password is wrong.', 'invalid_credentials');
  }
}

/** Thrown when a cookie's sign-in is unknown or expired, or its person is no longer in the team. */
export class SignInEndedError extends AuthenticationError {
  constructor() {
    super('This sign-in has ended; sign in again.', 'sign_in_ended');
  }
}

/** Thrown when a request of another origin has the cookie. */
export class CrossOriginError extends AuthenticationError {
  constructor() {
    super('A sign-in counts only for calls of the dashboard itself; use an API key.', 'cross_origin');
  }
}

/** Thrown when a request that changes something has the cookie but not its CSRF token. */
export class CsrfTokenError extends PermissionError {
  constructor() {
    super('The header X-CSRF-Token must carry the csrf_token of this sign-in.', 'invalid_csrf_token');
  }
}

/** Thrown when a route for signed-in people is called with an API key. */
export class SignInNeededError extends PermissionError {
  constructor() {
    super('This is for people who are signed in to the dashboard, not for API keys.', 'sign_in_needed');
  }
}

/** Thrown when a person without a team signs in: they have nothing to see. */
export class NoTeamError extends PermissionError {
  constructor() {
    super('You are in no team; ask an admin for an invitation.', 'no_team');
  }
}

/** Thrown when the current password is wrong in a password change. */
export class WrongPasswordError extends PermissionError {
  constructor() {
    super('The current password is wrong.', 'wrong_password');
  }
}

/** Thrown when no sign-in has the id, or it has ended. */
export class SignInNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('sign_in', id);
  }
}

/** Thrown when a sign-in belongs to another person. */
export class SignInOutOfReachError extends PermissionError {
  constructor() {
    super("This sign-in is somebody else's.", 'sign_in_out_of_reach');
  }
}

/** Thrown when no team has the id. */
export class UnknownTeamError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

/** Thrown when a person selects a team they are not in. */
export class NotAMemberError extends PermissionError {
  constructor() {
    super('You are not in this team.', 'not_a_member');
  }
}
