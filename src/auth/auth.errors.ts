import type { Scope } from '../access/index.js';
import { AuthenticationError, ConflictError, PermissionError } from '../platform/index.js';

/** Thrown when a request carries no key in its `Authorization` header. */
export class MissingKeyError extends AuthenticationError {
  constructor() {
    super('An API key is needed: send it as "Authorization: Bearer <API_KEY>".', 'missing_key');
  }
}

/** Thrown when the `Authorization` header is not `Bearer`, one space and a key. */
export class MalformedAuthorizationError extends AuthenticationError {
  constructor() {
    super('The Authorization header must read "Bearer <API_KEY>".', 'malformed_authorization');
  }
}

/** Thrown when the first admin is to be made and the service has users already. */
export class AlreadySetUpError extends ConflictError {
  constructor() {
    super('already_set_up', 'This service has a user already; bootstrap works only once.');
  }
}

/** Thrown when the key, or the role of its owner, does not give the scope that a route asks for. */
export class MissingScopeError extends PermissionError {
  constructor(scope: Scope) {
    super(`This needs the scope ${scope}.`, 'missing_scope', scope);
  }
}

/** Thrown when a route says nothing about who may use it; the start of the service fails before that. */
export class RouteClosedError extends PermissionError {
  constructor() {
    super('This route is closed.', 'route_closed');
  }
}
