import { AuthenticationError, ConflictError, PermissionError } from '../errors/index.js';

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

/** Thrown when a view token was not signed by this service, or its maker may not read events any more. */
export class InvalidViewTokenError extends AuthenticationError {
  constructor() {
    super(
      'This view token is not valid. Ask the application that issued it for a new one.',
      'invalid_view_token',
    );
  }
}

/** Thrown when a view token's time is over. */
export class ExpiredViewTokenError extends AuthenticationError {
  constructor() {
    super(
      'This view token has expired. Ask the application that issued it for a new one.',
      'expired_view_token',
    );
  }
}

/** Thrown when a view token stands in the query of a request that is not an event stream. */
export class ViewTokenInQueryError extends AuthenticationError {
  constructor() {
    super(
      'Only event streams accept ?view_token=. Send the view token as "Authorization: Bearer <VIEW_TOKEN>".',
      'view_token_in_query',
    );
  }
}

/** Thrown when the first admin is to be made and the service has users already. */
export class AlreadySetUpError extends ConflictError {
  constructor() {
    super('already_set_up', 'This service has a user already; the first admin is made only once.');
  }
}

/** Thrown when the link by which the first admin is made is unknown, was used, or is too old. */
export class InvalidSetUpLinkError extends AuthenticationError {
  constructor() {
    super('This link was used or is too old; start the service again for a new one.', 'invalid_set_up_link');
  }
}

/** Thrown when the link of an invitation is unknown, was used, taken back, or is too old. */
export class InvalidInvitationError extends AuthenticationError {
  constructor() {
    super('This invitation was used or taken back, or is too old; ask for a new one.', 'invalid_invitation');
  }
}

/** Thrown when a route says nothing about who may use it; the start of the service fails before that. */
export class RouteClosedError extends PermissionError {
  constructor() {
    super('This route is closed.', 'route_closed');
  }
}
