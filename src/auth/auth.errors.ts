import { AuthenticationError, ConflictError, PermissionError } from '../errors/index.js';

/** Thrown when a request has neither an `Authorization` header nor the sign-in cookie of the dashboard. */
export class MissingKeyError extends AuthenticationError {
  constructor() {
    super('This request needs an API key: send it as "Authorization: Bearer <API_KEY>".', 'missing_key');
  }
}

/** Thrown when the `Authorization` header does not consist of `Bearer`, one space and a key. */
export class MalformedAuthorizationError extends AuthenticationError {
  constructor() {
    super('The Authorization header must have the form "Bearer <API_KEY>".', 'malformed_authorization');
  }
}

/** Thrown when a view token has a wrong signature, or its creator may no longer read events. */
export class InvalidViewTokenError extends AuthenticationError {
  constructor() {
    super(
      'This view token is not valid. Ask the application that issued it for a new one.',
      'invalid_view_token',
    );
  }
}

export class ExpiredViewTokenError extends AuthenticationError {
  constructor() {
    super(
      'This view token has expired. Ask the application that issued it for a new one.',
      'expired_view_token',
    );
  }
}

/** Thrown when the URL of a request contains a view token, but the route is not an event stream. */
export class ViewTokenInQueryError extends AuthenticationError {
  constructor() {
    super(
      'Only event streams accept ?view_token=. Send the view token as "Authorization: Bearer <VIEW_TOKEN>".',
      'view_token_in_query',
    );
  }
}

/** Thrown when a caller tries to create the first admin although the service already has users. */
export class AlreadySetUpError extends ConflictError {
  constructor() {
    super(
      'already_set_up',
      'This service already has its first admin. Sign in, or ask an admin for an invitation.',
    );
  }
}

export class InvalidSetUpLinkError extends AuthenticationError {
  constructor() {
    super(
      'This setup link was already used or has expired. Restart the service to get a new one.',
      'invalid_set_up_link',
    );
  }
}

export class InvalidInvitationError extends AuthenticationError {
  constructor() {
    super(
      'This invitation was already used, was revoked or has expired. Ask for a new one.',
      'invalid_invitation',
    );
  }
}

/** Thrown when a handler without an access rule is called. The check at start normally prevents this. */
export class RouteClosedError extends PermissionError {
  constructor() {
    super('The service has no access rule for this route.', 'route_closed');
  }
}
