import { AuthenticationError, ConflictError, PermissionError } from '../errors/index.js';

/** Thrown when a request has no `Authorization` header with a key. */
export class MissingKeyError extends AuthenticationError {
  constructor() {
    super('This request needs an API key: send it as "Authorization: Bearer <API_KEY>".', 'missing_key');
  }
}

/** Thrown when the `Authorization` header is not `Bearer`, one space and a key. */
export class MalformedAuthorizationError extends AuthenticationError {
  constructor() {
    super('The Authorization header must have the form "Bearer <API_KEY>".', 'malformed_authorization');
  }
}

/**
 * Thrown when the signature of a view token is invalid, or the person or key that created it may no longer read events.
 */
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

/** Thrown when the URL of a request contains a view token and the request is not for an event stream. */
export class ViewTokenInQueryError extends AuthenticationError {
  constructor() {
    super(
      'Only event streams accept ?view_token=. Send the view token as "Authorization: Bearer <VIEW_TOKEN>".',
      'view_token_in_query',
    );
  }
}

/** Thrown when a request would create the first admin although the service has users. */
export class AlreadySetUpError extends ConflictError {
  constructor() {
    super('already_set_up', 'The first admin exists already.');
  }
}

/** Thrown when the set-up link is unknown, used or expired. */
export class InvalidSetUpLinkError extends AuthenticationError {
  constructor() {
    super('This setup link is used or expired. Restart the service to get a new one.', 'invalid_set_up_link');
  }
}

/** Thrown when an invitation's link is unknown, used, revoked or expired. */
export class InvalidInvitationError extends AuthenticationError {
  constructor() {
    super('This invitation is used, revoked or expired. Ask for a new one.', 'invalid_invitation');
  }
}

/** Thrown when a handler declares no access rule. `RouteAccessCheck` normally finds such a handler at start. */
export class RouteClosedError extends PermissionError {
  constructor() {
    super('This route is not available.', 'route_closed');
  }
}
