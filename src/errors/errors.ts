import { ServiceError } from './service-error.js';

export interface InputFault {
  /**
   * Location of the error in the request, for example `config.timeout_seconds`, `nodes[2].with.url`, `limit` or `body`.
   */
  readonly path: string;
  /** Stable error code in snake_case, for example `required`, `unknown_field` or `min`. */
  readonly code: string;
  /** Violated requirement, without the path, for example `must not be less than 1`. */
  readonly message: string;
}

/** Maximum number of errors in one response, so that a small request cannot cause a large response. */
export const MAX_REPORTED_FAULTS = 1_000;

/**
 * Thrown when parts of a request are missing, malformed or out of range. The error lists at most 1,000 of these parts.
 */
export class ValidationError extends ServiceError {
  readonly faults: readonly [InputFault, ...InputFault[]];

  constructor([first, ...others]: readonly [InputFault, ...InputFault[]], code = 'invalid_request') {
    const faults = [first, ...others.slice(0, MAX_REPORTED_FAULTS - 1)] as const;
    super(400, code, sentence(first), {
      details: {
        field: first.path,
        reason: first.message,
        errors: faults.map((fault) => ({ field: fault.path, code: fault.code, reason: fault.message })),
      },
    });
    this.faults = faults;
  }

  /**
   * Creates an error about one part of the request. The error code of the part is also the error code of the response.
   */
  static of(path: string, code: string, message: string): ValidationError {
    return new ValidationError([{ path, code, message }], code);
  }
}

/** The message of a fault either continues the path, such as `must be a string`, or is a sentence of its own. */
function sentence({ path, message }: InputFault): string {
  const separator = /^\p{Lu}/u.test(message) ? ': ' : ' ';
  return `${path}${separator}${message}${/[.!?]\)?$/.test(message) ? '' : '.'}`;
}

/** Thrown when a request has no valid credential. */
export class AuthenticationError extends ServiceError {
  constructor(
    message = 'This request needs a valid API key: send it as "Authorization: Bearer <API_KEY>".',
    code = 'invalid_api_key',
  ) {
    super(401, code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** Thrown when a valid credential does not permit the request. */
export class PermissionError extends ServiceError {
  /**
   * @param requiredScope the missing scope; absent if another right is missing
   */
  constructor(message: string, code = 'forbidden', requiredScope?: string) {
    super(
      403,
      code,
      message,
      requiredScope === undefined ? {} : { details: { required_scope: requiredScope } },
    );
  }
}

export class NotFoundError extends ServiceError {
  /**
   * @param what one noun, such as `workflow`, from which the code `workflow_not_found` is derived
   */
  constructor(what: string, id?: string) {
    const name = what.replaceAll('_', ' ');
    super(
      404,
      `${what.replaceAll(' ', '_')}_not_found`,
      id === undefined ? `The ${name} does not exist.` : `The ${name} ${id} does not exist.`,
    );
  }
}

export class UnknownPathError extends ServiceError {
  constructor() {
    super(404, 'path_not_found', 'This path does not exist. /openapi.json lists all paths.');
  }
}

export class MethodNotAllowedError extends ServiceError {
  constructor(method: string, allowed: readonly string[]) {
    super(
      405,
      'method_not_allowed',
      `The method ${method} is not allowed for this path. Allowed: ${allowed.join(', ')}.`,
      {
        headers: { Allow: allowed.join(', ') },
      },
    );
  }
}

/** Thrown when the current state of a resource does not permit the request. */
export class ConflictError extends ServiceError {
  constructor(code: string, message: string, details?: Readonly<Record<string, unknown>>) {
    super(409, code, message, details === undefined ? {} : { details });
  }
}

/**
 * Thrown when an `Idempotency-Key` cannot be used again. The status is 422 if the key was used with a different
 * request, and 409 while the first request is in progress.
 */
export class IdempotencyError extends ServiceError {
  constructor(reason: 'reused' | 'in_progress') {
    if (reason === 'reused')
      super(
        422,
        'idempotency_key_reused',
        'This Idempotency-Key was already used with a different request. Use a new key.',
      );
    else
      super(
        409,
        'idempotency_in_progress',
        'The first request with this Idempotency-Key is still being processed. Try again.',
        {
          type: 'idempotency_error',
          retryAfterSeconds: 1,
        },
      );
  }
}

/** Thrown when the header `If-Match` does not name the current version of the resource. */
export class PreconditionFailedError extends ServiceError {
  constructor(currentEtag?: string) {
    super(
      412,
      'version_mismatch',
      'The resource was changed after you read it. Read it again and repeat the change.',
      currentEtag === undefined ? {} : { headers: { ETag: currentEtag } },
    );
  }
}

/** Thrown when a request body exceeds `HTTP_BODY_LIMIT`, before or after decompression. */
export class PayloadTooLargeError extends ServiceError {
  constructor(limitBytes: number) {
    super(413, 'body_too_large', `The request body is larger than ${limitBytes} bytes.`, {
      details: { limit_bytes: limitBytes },
    });
  }
}

/** Thrown when the service does not support the media type, character set or encoding of a request body. */
export class UnsupportedMediaTypeError extends ServiceError {
  constructor(message: string) {
    super(415, 'unsupported_media_type', message);
  }
}

export class RateLimitError extends ServiceError {
  /** @param retryAfterSeconds whole seconds, at least 1 */
  constructor(
    retryAfterSeconds: number,
    headers: Readonly<Record<string, string>> = {},
    code = 'rate_limited',
  ) {
    super(429, code, `Too many requests. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
      headers,
    });
  }
}

/** Thrown when a dependency, such as the database, does not respond. A retry may succeed. */
export class UnavailableError extends ServiceError {
  constructor(
    message = 'The service is temporarily unavailable. Try again.',
    retryAfterSeconds = 1,
    cause?: unknown,
  ) {
    super(503, 'unavailable', message, { retryAfterSeconds, cause });
  }
}

/** Thrown when a caller waits for the output of an execution, but the execution ends without an output. */
export class ExecutionFailedError extends ServiceError {
  constructor(executionId: string, status: string) {
    super(
      502,
      'execution_not_completed',
      `The execution has no output because it ended with status ${status}.`,
      {
        details: { execution_id: executionId, status },
      },
    );
  }
}

/** Thrown when a request fails because of an error in the service. The response does not contain the cause. */
export class InternalError extends ServiceError {
  constructor(cause: unknown) {
    super(500, 'internal_error', 'An internal error occurred. It was logged with this request_id.', {
      cause,
    });
  }
}
