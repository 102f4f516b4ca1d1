/**
 * Errors that clients of `/ws` receive, by error code. `close` is the WebSocket close code; null if the socket stays
 * open after the error.
 */
const FAULTS = {
  malformed_message: {
    type: 'validation_error',
    close: 4400,
    message: 'A message must be one JSON object with a "type", in a text frame.',
  },
  malformed_cursor: {
    type: 'validation_error',
    close: 4400,
    message: 'The cursor does not belong to this service.',
  },
  invalid_message: { type: 'validation_error', close: null, message: 'A field of the message is invalid.' },
  unknown_message_type: {
    type: 'validation_error',
    close: null,
    message: 'This message type does not exist.',
  },
  not_authenticated: {
    type: 'authentication_error',
    close: 4401,
    message: 'The first message must have the type "auth".',
  },
  invalid_key: {
    type: 'authentication_error',
    close: 4401,
    message: 'The API key or sign-in is missing or invalid.',
  },
  access_ended: {
    type: 'authentication_error',
    close: 4401,
    message: 'The API key or sign-in has ended, or lost a permission that this connection needs.',
  },
  address_not_allowed: {
    type: 'permission_error',
    close: 4403,
    message: 'The API key may not be used from this address.',
  },
  missing_scope: {
    type: 'permission_error',
    close: 4403,
    message: 'The API key lacks the scope "events:read".',
  },
  out_of_reach: {
    type: 'permission_error',
    close: null,
    message: 'The API key has no access to the resource in the filter.',
  },
  unknown_subject: {
    type: 'not_found_error',
    close: null,
    message: 'The resource in the filter does not exist.',
  },
  unknown_subscription: {
    type: 'not_found_error',
    close: null,
    message: 'There is no subscription with this id.',
  },
  auth_timeout: { type: 'authentication_error', close: 4408, message: 'No "auth" message arrived in time.' },
  already_authenticated: {
    type: 'conflict_error',
    close: 4409,
    message: 'This connection is already authenticated.',
  },
  duplicate_subscription: {
    type: 'conflict_error',
    close: 4409,
    message: 'A subscription with this id already exists.',
  },
  too_many_subscriptions: {
    type: 'conflict_error',
    close: null,
    message: 'The connection has the maximum number of subscriptions.',
  },
  too_many_messages: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'Messages arrive too fast. Send fewer messages.',
  },
  too_many_connections: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'The API key has too many open connections.',
  },
  too_many_attempts: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'Too many failed attempts from this address. Try again later.',
  },
  slow_reader: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'The client reads events too slowly. Reconnect and resume from the last cursor.',
  },
  server_fault: {
    type: 'server_error',
    close: 4500,
    message: 'An internal error occurred. Reconnect and resume.',
  },
} as const;

export type SocketFaultCode = keyof typeof FAULTS;
type SocketFaultType = (typeof FAULTS)[SocketFaultCode]['type'];
type CloseCode = NonNullable<(typeof FAULTS)[SocketFaultCode]['close']>;

/** Names the invalid field of a client message, and why it is invalid. */
export interface FaultDetails {
  readonly field: string;
  readonly reason: string;
}

/**
 * An error that a client of `/ws` receives, such as an invalid message, a missing right, an exceeded rate, or a failure
 * of the service.
 */
export class SocketFault extends Error {
  override readonly name = 'SocketFault';
  readonly type: SocketFaultType;
  /** WebSocket close code; null if the socket stays open after the error. */
  readonly closeCode: CloseCode | null;

  /** @param closeCode close code instead of the default one for the error code */
  constructor(
    readonly code: SocketFaultCode,
    readonly details?: FaultDetails,
    closeCode: CloseCode | null = FAULTS[code].close,
  ) {
    super(FAULTS[code].message);
    this.type = FAULTS[code].type;
    this.closeCode = closeCode;
  }
}

/** Converts any error to an error that the client may see. Unexpected errors become `server_fault` without details. */
export function toSocketFault(error: unknown): SocketFault {
  return error instanceof SocketFault ? error : new SocketFault('server_fault');
}
