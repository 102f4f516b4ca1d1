/** Socket errors by code. `close` is the close code; null if the socket stays open. */
const FAULTS = {
  malformed_message: {
    type: 'validation_error',
    close: 4400,
    message: 'A message must be one JSON object with a "type", in a text frame.',
  },
  malformed_cursor: {
    type: 'validation_error',
    close: 4400,
    message: 'The cursor is not one of this service.',
  },
  invalid_message: { type: 'validation_error', close: null, message: 'A field of the message is not valid.' },
  unknown_message_type: {
    type: 'validation_error',
    close: null,
    message: 'There is no message of this type.',
  },
  not_authenticated: {
    type: 'authentication_error',
    close: 4401,
    message: 'The first message must be "auth".',
  },
  invalid_key: {
    type: 'authentication_error',
    close: 4401,
    message: 'The API key or the sign-in is missing or not valid.',
  },
  access_ended: {
    type: 'authentication_error',
    close: 4401,
    message: 'The API key or the sign-in has ended, or lost a right that this connection needs.',
  },
  address_not_allowed: {
    type: 'permission_error',
    close: 4403,
    message: 'This address may not use the API key.',
  },
  missing_scope: {
    type: 'permission_error',
    close: 4403,
    message: 'The API key lacks the scope "events:read".',
  },
  out_of_reach: {
    type: 'permission_error',
    close: null,
    message: 'The API key does not reach what the filter names.',
  },
  unknown_subject: { type: 'not_found_error', close: null, message: 'What the filter names does not exist.' },
  unknown_subscription: {
    type: 'not_found_error',
    close: null,
    message: 'There is no subscription of this id.',
  },
  auth_timeout: { type: 'authentication_error', close: 4408, message: 'No "auth" message came in time.' },
  already_authenticated: {
    type: 'conflict_error',
    close: 4409,
    message: 'This connection is authenticated already.',
  },
  duplicate_subscription: {
    type: 'conflict_error',
    close: 4409,
    message: 'A subscription of this id exists already.',
  },
  too_many_subscriptions: {
    type: 'conflict_error',
    close: null,
    message: 'The connection holds no more subscriptions.',
  },
  too_many_messages: { type: 'rate_limit_error', close: 4429, message: 'Messages come too fast.' },
  too_many_connections: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'The API key has too many open connections.',
  },
  too_many_attempts: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'Too many failed attempts from this address lately.',
  },
  slow_reader: {
    type: 'rate_limit_error',
    close: 4429,
    message: 'Events are read too slowly. Connect again and resume from the last cursor.',
  },
  server_fault: {
    type: 'server_error',
    close: 4500,
    message: 'The service failed. Connect again and resume.',
  },
} as const;

export type SocketFaultCode = keyof typeof FAULTS;
type SocketFaultType = (typeof FAULTS)[SocketFaultCode]['type'];
type CloseCode = NonNullable<(typeof FAULTS)[SocketFaultCode]['close']>;

/** The invalid field of a message. */
export interface FaultDetails {
  readonly field: string;
  readonly reason: string;
}

/** Thrown when a client's message, rights or rate is not acceptable, or the service failed. */
export class SocketFault extends Error {
  override readonly name = 'SocketFault';
  readonly type: SocketFaultType;
  /** WebSocket close code; null if the socket stays open. */
  readonly closeCode: CloseCode | null;

  /** @param closeCode overrides the default close code of the error code */
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

/** The error as the client sees it: it contains neither message content nor internal details. */
export function toSocketFault(error: unknown): SocketFault {
  return error instanceof SocketFault ? error : new SocketFault('server_fault');
}
