import { AuthenticationError, PermissionError, UnavailableError } from '../errors/index.js';

/** Thrown when a JWT is malformed, of an unknown issuer, forged, not for this service, or breaks a rule. */
export class InvalidJwtError extends AuthenticationError {
  /** @param cause what was found; for tests and debugging, never for the caller */
  constructor(cause?: unknown) {
    super('This JWT is not valid here.', 'invalid_jwt');
    this.cause = cause;
  }
}

/** Thrown when a JWT's time is over. */
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

/** Thrown when a JWT is valid, but nobody here is its subject, and nobody is to become it. */
export class UnknownSubjectError extends AuthenticationError {
  constructor() {
    super('The subject of this JWT is no user of this service.', 'unknown_subject');
  }
}

/** Thrown when a JWT gives no team, or one that is not there or that its subject is not in. */
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

/** Thrown when a JWT names roles and its issuer may give none of them. */
export class UnlistedRoleError extends PermissionError {
  constructor() {
    super('The issuer of this JWT may not give the role that it names.', 'role_not_allowed');
  }
}

/** Thrown when nothing is left of what a JWT and the subject's role both give. */
export class NoScopeForSubjectError extends PermissionError {
  constructor() {
    super('This JWT gives no scope that the role of its subject gives, too.', 'no_scope');
  }
}

/** Thrown when the keys of an issuer are needed and cannot be had. */
export class IssuerUnavailableError extends UnavailableError {
  constructor(retryAfterSeconds: number, cause: unknown) {
    super('The keys of the issuer cannot be read right now; try again.', retryAfterSeconds, cause);
  }
}
