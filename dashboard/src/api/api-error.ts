import { texts } from '../texts/en/api.ts';
import { isUnavailableStatus } from './availability.ts';

interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly request_id: string;
    readonly retry_after?: number;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** An error that the service reports for one field of a request. */
interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

/**
 * Error codes of 401 responses that mean: the sign-in of the dashboard is missing, has ended or was refused. A wrong
 * password has another code.
 */
const SIGNED_OUT: ReadonlySet<string> = new Set(['sign_in_ended', 'missing_key', 'cross_origin']);

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status of the response; 0 if no response arrived. */
  readonly status: number;
  /**
   * Error code from the documentation of the API; `unreachable` if no response arrived, or `unexpected_answer` if the
   * response has no code.
   */
  readonly code: string;
  readonly requestId: string | null;
  /** Number of seconds to wait before the next try; null if the response names none. */
  readonly retryAfter: number | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, error: Partial<ErrorBody['error']> & { readonly message: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code ?? 'unreachable';
    this.requestId = error.request_id ?? null;
    this.retryAfter = error.retry_after ?? null;
    this.details = error.details ?? {};
  }

  static of(error: unknown, response: Response | undefined): ApiError {
    if (response === undefined) return new ApiError(0, { message: texts.serviceUnreachable });
    if (isErrorBody(error)) return new ApiError(response.status, error.error);
    return new ApiError(response.status, {
      code: 'unexpected_answer',
      message: texts.unexpectedStatus(response.status),
      request_id: response.headers.get('X-Request-Id') ?? undefined,
    });
  }

  get isSignedOut(): boolean {
    return this.status === 401 && SIGNED_OUT.has(this.code);
  }

  /** True if no response arrived, or if the response has status 502, 503 or 504. */
  get isUnavailable(): boolean {
    return isUnavailableStatus(this.status);
  }

  /** Errors of single request fields. `field` is a path in the request body, such as `input.customer.name`. */
  get faults(): readonly FieldFault[] {
    const { errors, field, reason } = this.details;
    const faults: readonly unknown[] = Array.isArray(errors) ? errors : [{ field, reason }];
    return faults.filter(isFault);
  }

  /**
   * True if the response contains field errors and each of them belongs to one of the given form fields. The
   * form can then show every error next to its field.
   */
  areAllOf(fields: readonly string[]): boolean {
    return this.faults.length > 0 && this.faults.every(({ field }) => fields.includes(field));
  }

  /**
   * Returns the error message of a form field. For a list field, this can be the message of one of its entries.
   * @param field path of the field in the request body
   */
  faultOf(field: string): string | undefined {
    for (const fault of this.faults) {
      if (fault.field === field) return `${fault.reason.slice(0, 1).toUpperCase()}${fault.reason.slice(1)}`;
      const entry = fault.field.startsWith(`${field}[`)
        ? Number.parseInt(fault.field.slice(field.length + 1))
        : NaN;
      if (!Number.isNaN(entry)) return texts.entry(entry + 1, fault.reason);
    }
    return undefined;
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'object';
}

function isFault(value: unknown): value is FieldFault {
  return (
    typeof value === 'object' &&
    value !== null &&
    'field' in value &&
    'reason' in value &&
    typeof value.field === 'string' &&
    typeof value.reason === 'string'
  );
}
