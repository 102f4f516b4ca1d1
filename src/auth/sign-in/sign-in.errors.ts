import { AuthenticationError, NotFoundError, PermissionError } from '../../errors/index.js';

/** Thrown when an email address and a password do not belong together, or the person is switched off. */
export class InvalidCredentialsError extends AuthenticationError {
  constructor() {
    super('The email address or the password is wrong.', 'invalid_credentials');
  }
}

/** Thrown when a cookie's sign-in is unknown, over, or of somebody who has no place in its team any more. */
export class SignInEndedError extends AuthenticationError {
  constructor() {
    super('This sign-in has ended; sign in again.', 'sign_in_ended');
  }
}

/** Thrown when a cookie comes with a request of another origin, for which it does not count. */
export class CrossOriginError extends AuthenticationError {
  constructor() {
    super('A sign-in counts only for calls of the dashboard itself; use an API key.', 'cross_origin');
  }
}

/** Thrown when a call that changes something comes with a cookie, but not with the token that goes with it. */
export class CsrfTokenError extends PermissionError {
  constructor() {
    super('The header X-CSRF-Token must carry the csrf_token of this sign-in.', 'invalid_csrf_token');
  }
}

/** Thrown when a route of sign-ins is called with an API key. */
export class SignInNeededError extends PermissionError {
  constructor() {
    super('This is for people who are signed in to the dashboard, not for API keys.', 'sign_in_needed');
  }
}

/** Thrown when somebody who is in no team signs in: there is nothing to see. */
export class NoTeamError extends PermissionError {
  constructor() {
    super('You are in no team; ask an admin for an invitation.', 'no_team');
  }
}

/** Thrown when the password that is to be changed is not the one that was given. */
export class WrongPasswordError extends PermissionError {
  constructor() {
    super('The current password is wrong.', 'wrong_password');
  }
}

/** Thrown when there is no sign-in of an id, or it has ended. */
export class SignInNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('sign_in', id);
  }
}

/** Thrown when a sign-in is somebody else's. */
export class SignInOutOfReachError extends PermissionError {
  constructor() {
    super("This sign-in is somebody else's.", 'sign_in_out_of_reach');
  }
}

/** Thrown when there is no team of an id. */
export class UnknownTeamError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

/** Thrown when a team is to be looked at by somebody who is not in it. */
export class NotAMemberError extends PermissionError {
  constructor() {
    super('You are not in this team.', 'not_a_member');
  }
}
