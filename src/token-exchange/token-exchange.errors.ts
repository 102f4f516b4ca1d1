import { AuthenticationError, PermissionError, UnavailableError } from '../errors/index.js';

/**
 * Thrown if a JWT is not valid for this service. The JWT is malformed or forged, has an unknown issuer or another
 * audience, or violates a rule of the service.
 */
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

/**
 * Thrown if a valid JWT identifies no user, and its issuer may not create users. Also thrown if the user is disabled.
 */
export class UnknownSubjectError extends AuthenticationError {
  constructor() {
    super('The subject of this JWT is not an active user of this service.', 'unknown_subject');
  }
}

/** Thrown if a JWT names no team, an unknown team, or a team in which the user is not a member. */
export class NoTeamForSubjectError extends PermissionError {
  constructor() {
    super('This JWT names no team, or its subject is not a member of the named team.', 'not_a_member');
  }
}

/** Thrown if the issuer's configuration lists none of the teams that the JWT names. */
export class UnlistedTeamError extends PermissionError {
  constructor() {
    super('The issuer of this JWT is not allowed to use the team in the JWT.', 'team_not_allowed');
  }
}

/** Thrown if the issuer may grant none of the roles that the JWT names. */
export class UnlistedRoleError extends PermissionError {
  constructor() {
    super('The issuer of this JWT is not allowed to grant the role in the JWT.', 'role_not_allowed');
  }
}

/** Thrown if the user's role grants none of the scopes in the JWT. */
export class NoScopeForSubjectError extends PermissionError {
  constructor() {
    super('The role of the user includes none of the scopes in this JWT.', 'no_scope');
  }
}

export class IssuerUnavailableError extends UnavailableError {
  constructor(retryAfterSeconds: number, cause: unknown) {
    super(
      'The public keys (JWKS) of the token issuer are not available. Try again.',
      retryAfterSeconds,
      cause,
    );
  }
}
