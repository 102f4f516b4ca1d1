import { ServiceError } from './service-error.js';

/** One validation issue of a request. */
export interface InputFault {
  /** Location of the issue in the caller's terms: `config.timeout_seconds`, `nodes[2].with.url`, `limit`, `body`. */
  readonly path: string;
  /** Stable code in snake_case: `required`, `unknown_field`, `min`. */
  readonly code: string;
  /** The requirement, without the path: `must not be less than 1`. */
  readonly message: string;
}

/** Maximum number of issues per response: a small request must not cause a large response. */
export const MAX_REPORTED_FAULTS = 1_000;

/** Thrown when part of a request is missing, malformed or out of bounds. Names every issue, up to 1,000. */
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

  /** For the common case of one issue, whose code becomes the error's code. */
  static of(path: string, code: string, message: string): ValidationError {
    return new ValidationError([{ path, code, message }], code);
  }
}

function sentence({ path, message }: InputFault): string {
  return `${path} ${message}${/[.!?]$/.test(message) ? '' : '.'}`;
}

/** Thrown when a request has no credential, or one that is unknown, malformed, expired or revoked. */
export class AuthenticationError extends ServiceError {
  constructor(
    message = 'A valid API key is needed: send it as "Authorization: Bearer <API_KEY>".',
    code = 'invalid_api_key',
  ) {
    super(401, code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** Thrown when a valid key does not permit the request because of its scopes, team, project, role or address. */
export class PermissionError extends ServiceError {
  /** @param requiredScope the missing scope, if a scope is missing */
  constructor(message: string, code = 'forbidden', requiredScope?: string) {
    super(
      403,
      code,
      message,
      requiredScope === undefined ? {} : { details: { required_scope: requiredScope } },
    );
  }
}

/** Thrown when the requested resource does not exist. */
export class NotFoundError extends ServiceError {
  /** @param what one noun, such as `workflow`, from which the code is derived: `workflow_not_found` */
  constructor(what: string, id?: string) {
    const name = what.replaceAll('_', ' ');
    super(
      404,
      `${what.replaceAll(' ', '_')}_not_found`,
      id === undefined ? `There is no such ${name}.` : `There is no ${name} ${id}.`,
    );
  }
}

/** Thrown when no route matches the request's path. */
export class UnknownPathError extends ServiceError {
  constructor() {
    super(404, 'path_not_found', 'There is nothing at this path; /openapi.json lists every path.');
  }
}

/** Thrown when the path exists but does not support the method. */
export class MethodNotAllowedError extends ServiceError {
  constructor(method: string, allowed: readonly string[]) {
    super(
      405,
      'method_not_allowed',
      `${method} is not possible here; ${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'}.`,
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
 * Thrown when an `Idempotency-Key` is reused with a different request (422), or while the first request is in progress
 * (409).
 */
export class IdempotencyError extends ServiceError {
  constructor(reason: 'reused' | 'in_progress') {
    if (reason === 'reused')
      super(422, 'idempotency_key_reused', 'This Idempotency-Key was used with another request.');
    else
      super(409, 'idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
        type: 'idempotency_error',
        retryAfterSeconds: 1,
      });
  }
}

/** Thrown when `If-Match` does not name the current version. */
export class PreconditionFailedError extends ServiceError {
  constructor(currentEtag?: string) {
    super(
      412,
      'version_mismatch',
      'It was changed since you read it; read it again and repeat the change.',
      currentEtag === undefined ? {} : { headers: { ETag: currentEtag } },
    );
  }
}

/** Thrown when a body exceeds `HTTP_BODY_LIMIT`, before or after decompression. */
export class PayloadTooLargeError extends ServiceError {
  constructor(limitBytes: number) {
    super(413, 'body_too_large', `The body has more than ${limitBytes} bytes.`, {
      details: { limit_bytes: limitBytes },
    });
  }
}

/** Thrown when the route does not support a body's media type, character set or encoding. */
export class UnsupportedMediaTypeError extends ServiceError {
  constructor(message: string) {
    super(415, 'unsupported_media_type', message);
  }
}

/** Thrown when a caller exceeds its rate limit. */
export class RateLimitError extends ServiceError {
  /** @param retryAfterSeconds whole seconds, at least 1 */
  constructor(
    retryAfterSeconds: number,
    headers: Readonly<Record<string, string>> = {},
    code = 'rate_limited',
  ) {
    super(429, code, `Too many requests; try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
      headers,
    });
  }
}

/** Thrown when a dependency of the service (database, queue) does not respond; a retry may succeed. */
export class UnavailableError extends ServiceError {
  constructor(
    message = 'The service cannot answer right now; try again.',
    retryAfterSeconds = 1,
    cause?: unknown,
  ) {
    super(503, 'unavailable', message, { retryAfterSeconds, cause });
  }
}

/** Thrown when a caller waits for the output of an execution that did not complete. */
export class ExecutionFailedError extends ServiceError {
  constructor(executionId: string, status: string) {
    super(502, 'execution_not_completed', `The execution has no output: it ended as ${status}.`, {
      details: { execution_id: executionId, status },
    });
  }
}

/** Thrown when the service itself failed. The response does not reveal the cause. */
export class InternalError extends ServiceError {
  constructor(cause: unknown) {
    super(500, 'internal_error', 'Something went wrong on our side; it was logged under this request_id.', {
      cause,
    });
  }
}
