import { HttpException } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../database/index.js';
import { SlowQueryRefusedError } from '../../storage/index.js';
import {
  ERROR_TYPES,
  type ErrorStatus,
  type ErrorType,
  InternalError,
  ServiceError,
  UnavailableError,
} from '../../errors/index.js';
import { defined } from '../../platform/index.js';

export interface ErrorBody {
  readonly error: {
    readonly type: ErrorType;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly retry_after?: number;
    readonly code: string;
    readonly request_id: string;
  };
}

/** A client error that NestJS or Express raised, in the error format of the API. */
class FrameworkError extends ServiceError {}

const CODES: Readonly<Partial<Record<ErrorStatus, string>>> = {
  401: 'invalid_api_key',
  403: 'forbidden',
  404: 'path_not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  412: 'version_mismatch',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

export function serviceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const refusal = frameworkRefusal(thrown);
  if (refusal !== undefined) return refusal;
  if (thrown instanceof SlowQueryRefusedError)
    return new UnavailableError(thrown.message, thrown.retryAfterSeconds, thrown);
  if (isDatabaseUnavailable(thrown)) return new UnavailableError(undefined, 1, thrown);
  return new InternalError(thrown);
}

export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  const { type, message, details, retryAfterSeconds, code } = error;
  return {
    error: defined({
      type,
      message,
      details,
      retry_after: retryAfterSeconds,
      code,
      request_id: requestId,
    }),
  };
}

export function errorHeaders({ headers, retryAfterSeconds }: ServiceError): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined
    ? { ...headers }
    : { ...headers, 'Retry-After': String(retryAfterSeconds) };
}

function frameworkRefusal(thrown: unknown): ServiceError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const status = thrown instanceof HttpException ? thrown.getStatus() : exposedStatus(thrown);
  if (status === undefined) return undefined;
  if (status === 502 || status === 503 || status === 504) return new UnavailableError(undefined, 1, thrown);
  if (status < 400 || status > 499) return undefined;
  const known = status in ERROR_TYPES ? (status as ErrorStatus) : 400;
  return new FrameworkError(known, CODES[known] ?? 'invalid_request', thrown.message, {
    cause: thrown,
    ...(known === 401 ? { headers: { 'WWW-Authenticate': 'Bearer' } } : {}),
  });
}

/** HTTP status of an error that Express allows to show to clients. Undefined for other errors. */
function exposedStatus(error: Error): number | undefined {
  const { status, expose } = error as { readonly status?: unknown; readonly expose?: unknown };
  if (typeof status !== 'number') return undefined;
  return error instanceof URIError || expose === true ? status : undefined;
}
