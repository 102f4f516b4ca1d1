import { AuthenticationError, PermissionError, UnavailableError } from '../errors/index.js';

/** Thrown when a JWT is malformed or forged, has an unknown issuer or another audience, or violates a rule. */
export class InvalidJwtError extends AuthenticationError {
  /** @param cause the reason, for tests and debugging; callers must not see it */
  constructor(cause?: unknown) {
    super('This JWT is not valid for this service.', 'invalid_jwt');
    this.cause = cause;
  }
}

export class ExpiredJwtError extends AuthenticationError {
  constructor() {
    super('This JWT has expired. Get a new one from its issuer.', 'expired_jwt');
  }
}

export class UsedJwtError extends AuthenticationError {
  constructor() {
    super('This JWT was already exchanged. Get a new one from its issuer.', 'used_jwt');
  }
}

/** Thrown when a valid JWT identifies no user and its issuer may not create one. */
export class UnknownSubjectError extends AuthenticationError {
  constructor() {
    super('The subject of this JWT is not a user of this service.', 'unknown_subject');
  }
}

/** Thrown when a JWT names no team, an unknown team, or a team without the user. */
export class NoTeamForSubjectError extends PermissionError {
  constructor() {
    super('The subject of this JWT is not a member of the team.', 'not_a_member');
  }
}

/** Thrown when the issuer's configuration lists none of the teams in the JWT. */
export class UnlistedTeamError extends PermissionError {
  constructor() {
    super('The issuer of this JWT is not allowed to use the team in the JWT.', 'team_not_allowed');
  }
}

/** Thrown when the issuer may grant none of the roles in the JWT. */
export class UnlistedRoleError extends PermissionError {
  constructor() {
    super('The issuer of this JWT is not allowed to grant the role in the JWT.', 'role_not_allowed');
  }
}

/** Thrown when the JWT and the user's role have no scope in common. */
export class NoScopeForSubjectError extends PermissionError {
  constructor() {
    super('This JWT contains no scope that the role of its subject includes.', 'no_scope');
  }
}

export class IssuerUnavailableError extends UnavailableError {
  constructor(retryAfterSeconds: number, cause: unknown) {
    super('The keys of the issuer are not available. Try again.', retryAfterSeconds, cause);
  }
}
