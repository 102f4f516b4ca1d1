/** Default error type in the response, by HTTP status. */
export const ERROR_TYPES = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'method_not_allowed_error',
  409: 'conflict_error',
  412: 'precondition_failed_error',
  413: 'payload_too_large_error',
  415: 'unsupported_media_type_error',
  422: 'idempotency_error',
  429: 'rate_limit_error',
  431: 'validation_error',
  500: 'server_error',
  502: 'execution_failed_error',
  503: 'unavailable_error',
} as const;

export type ErrorStatus = keyof typeof ERROR_TYPES;
export type ErrorType = (typeof ERROR_TYPES)[ErrorStatus];
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorOptions {
  /** Error type in the response; the default is the type of the HTTP status in `ERROR_TYPES`. */
  readonly type?: ErrorType;
  readonly details?: ErrorDetails;
  /** Seconds that the caller should wait before a retry. Also sent as the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error whose message and code are sent to the caller. For all other errors, the response has status 500 and does
 * not contain the cause.
 */
export abstract class ServiceError extends Error {
  override readonly name: string;
  readonly type: ErrorType;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  /**
   * @param code in snake_case; must never change, because clients depend on codes
   * @param message one plain sentence for people
   */
  constructor(
    readonly status: ErrorStatus,
    readonly code: string,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.type = options.type ?? ERROR_TYPES[status];
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers;
  }
}
