import { AuthenticationError, PermissionError, UnavailableError } from '../errors/index.js';

/** Thrown when a JWT is malformed, forged, from an unknown issuer, for another audience, or breaks a rule. */
export class InvalidJwtError extends AuthenticationError {
  /** @param cause the reason; for tests and debugging, never for the caller */
  constructor(cause?: unknown) {
    super('This JWT is not valid here.', 'invalid_jwt');
    this.cause = cause;
  }
}

/** Thrown when a JWT has expired. */
export class ExpiredJwtError extends AuthenticationError {
  constructor() {
    super('This JWT has expired; get a new one from its issuer.', 'expired_jwt');
  }
}

/** Thrown when a JWT was exchanged before. */
export class UsedJwtError extends AuthenticationError {
  constructor() {
    super('This JWT was exchanged before; get a new one from its issuer.', 'used_jwt');
  }
}

/** Thrown when a JWT is valid, but no user is its subject and none may be created. */
export class UnknownSubjectError extends AuthenticationError {
  constructor() {
    super('The subject of this JWT is no user of this service.', 'unknown_subject');
  }
}

/** Thrown when a JWT names no team, an unknown one, or one that its subject is not in. */
export class NoTeamForSubjectError extends PermissionError {
  constructor() {
    super('The subject of this JWT is not in the team that it would act in.', 'not_a_member');
  }
}

/** Thrown when a JWT names teams and the configuration of its issuer lists none of them. */
export class UnlistedTeamError extends PermissionError {
  constructor() {
    super('The issuer of this JWT may not give the team that it names.', 'team_not_allowed');
  }
}

/** Thrown when a JWT names roles and its issuer may grant none of them. */
export class UnlistedRoleError extends PermissionError {
  constructor() {
    super('The issuer of this JWT may not give the role that it names.', 'role_not_allowed');
  }
}

/** Thrown when the JWT and the subject's role have no scope in common. */
export class NoScopeForSubjectError extends PermissionError {
  constructor() {
    super('This JWT gives no scope that the role of its subject gives, too.', 'no_scope');
  }
}

/** Thrown when the keys of an issuer are needed and unavailable. */
export class IssuerUnavailableError extends UnavailableError {
  constructor(retryAfterSeconds: number, cause: unknown) {
    super('The keys of the issuer cannot be read right now; try again.', retryAfterSeconds, cause);
  }
}
