import { AuthenticationError, ConflictError, PermissionError } from '../errors/index.js';

/** Thrown when a request has no key in its `Authorization` header. */
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

/** Thrown when this service did not sign a view token, or its maker may no longer read events. */
export class InvalidViewTokenError extends AuthenticationError {
  constructor() {
    super(
      'This view token is not valid. Ask the application that issued it for a new one.',
      'invalid_view_token',
    );
  }
}

/** Thrown when a view token has expired. */
export class ExpiredViewTokenError extends AuthenticationError {
  constructor() {
    super(
      'This view token has expired. Ask the application that issued it for a new one.',
      'expired_view_token',
    );
  }
}

/** Thrown when a view token is in the query of a request that is not an event stream. */
export class ViewTokenInQueryError extends AuthenticationError {
  constructor() {
    super(
      'Only event streams accept ?view_token=. Send the view token as "Authorization: Bearer <VIEW_TOKEN>".',
      'view_token_in_query',
    );
  }
}

/** Thrown when a request would create the first admin and users already exist. */
export class AlreadySetUpError extends ConflictError {
  constructor() {
    super('already_set_up', 'This service has a user already; the first admin is made only once.');
  }
}

/** Thrown when the set-up link is unknown, used or expired. */
export class InvalidSetUpLinkError extends AuthenticationError {
  constructor() {
    super('This link was used or is too old; start the service again for a new one.', 'invalid_set_up_link');
  }
}

/** Thrown when an invitation's link is unknown, used, revoked or expired. */
export class InvalidInvitationError extends AuthenticationError {
  constructor() {
    super('This invitation was used or taken back, or is too old; ask for a new one.', 'invalid_invitation');
  }
}

/** Thrown when a route declares no access rule; the service does not start then. */
export class RouteClosedError extends PermissionError {
  constructor() {
    super('This route is closed.', 'route_closed');
  }
}
