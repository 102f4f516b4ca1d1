import { AuthenticationError, PermissionError, UnavailableError } from '../errors/index.js';

/** Thrown when a JWT is malformed or forged, has an unknown issuer or another audience, or violates a rule. */
export class InvalidJwtError extends AuthenticationError {
  /** @param cause the reason, for tests and debugging; callers must not see it */
  constructor(cause?: unknown) {
    super('This JWT is not valid for this service.', 'invalid_jwt');
    this.cause = cause;
  }
}

/** Thrown when a JWT has expired. */
export class ExpiredJwtError extends AuthenticationError {
  constructor() {
    super('This JWT has expired. Get a new one from its issuer.', 'expired_jwt');
  }
}

/** Thrown when a JWT was exchanged before. */
export class UsedJwtError extends AuthenticationError {
  constructor() {
    super('This JWT was already exchanged. Get a new one from its issuer.', 'used_jwt');
  }
}

/** Thrown when a JWT is valid, but identifies no user and its issuer may not create one. */
export class UnknownSubjectError extends AuthenticationError {
  constructor() {
    super('The subject of this JWT is not a user of this service.', 'unknown_subject');
  }
}

/** Thrown when a JWT names no team, an unknown team, or a team that the user is not in. */
export class NoTeamForSubjectError extends PermissionError {
  constructor() {
    super('The subject of this JWT is not a member of the team.', 'not_a_member');
  }
}

/** Thrown when a JWT names teams, and the configuration of its issuer lists none of them. */
export class UnlistedTeamError extends PermissionError {
  constructor() {
    super('The issuer of this JWT is not allowed to use the team in the JWT.', 'team_not_allowed');
  }
}

/** Thrown when a JWT names roles, and its issuer may grant none of them. */
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

/** Thrown when the keys of an issuer are needed but unavailable. */
export class IssuerUnavailableError extends UnavailableError {
  constructor(retryAfterSeconds: number, cause: unknown) {
    super('The keys of the issuer are not available. Try again.', retryAfterSeconds, cause);
  }
}
