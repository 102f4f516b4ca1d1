import type { ResponseObject, SchemaObject } from './openapi-types.js';
import { errorBody } from '../errors/error-answer.js';
import {
  AuthenticationError,
  ConflictError,
  ExecutionFailedError,
  ERROR_TYPES,
  type ErrorStatus,
  IdempotencyError,
  InternalError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  type ServiceError,
  UnavailableError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../../errors/index.js';

const EXAMPLE_REQUEST_ID = '6f1c2f0e-3a54-4c8e-9d0b-2a7c5f4e1b90';

/**
 * Description and example of the error response for each HTTP status. Status 431 is missing, because the HTTP parser
 * sends this status before the service selects a route.
 */
const REFUSALS: Readonly<
  Record<Exclude<ErrorStatus, 431>, { readonly means: string; readonly example: ServiceError }>
> = {
  400: {
    means: 'A part of the request is missing, malformed or out of range.',
    example: ValidationError.of('limit', 'max', 'must not be greater than 100'),
  },
  401: { means: 'The API key is missing, unknown, expired or revoked.', example: new AuthenticationError() },
  403: {
    means: 'The scope, team, project or address of the key does not allow this request.',
    example: new PermissionError('The key lacks a required scope.', 'missing_scope', 'workflows:read'),
  },
  404: { means: 'The resource in the path does not exist.', example: new NotFoundError('resource') },
  405: {
    means: 'The path does not support this method.',
    example: new MethodNotAllowedError('PUT', ['GET', 'HEAD', 'OPTIONS']),
  },
  409: {
    means: 'The state of the resource does not allow this request.',
    example: new ConflictError('conflict', 'The state of the resource does not allow this request.'),
  },
  412: {
    means: 'The resource was changed after the caller read it.',
    example: new PreconditionFailedError(),
  },
  413: { means: 'The body is too large.', example: new PayloadTooLargeError(1_048_576) },
  415: {
    means: 'The body is not JSON.',
    example: new UnsupportedMediaTypeError(
      'The body must be JSON: send it with "Content-Type: application/json".',
    ),
  },
  422: {
    means: 'The Idempotency-Key was already used with a different request.',
    example: new IdempotencyError('reused'),
  },
  429: { means: 'Too many requests.', example: new RateLimitError(60) },
  500: {
    means: 'An internal error. The response contains no details.',
    example: new InternalError(undefined),
  },
  502: {
    means: 'The execution did not complete.',
    example: new ExecutionFailedError('0199a8c0-2222-7abc-8def-0123456789ab', 'failed'),
  },
  503: { means: 'The service is temporarily unavailable.', example: new UnavailableError() },
};

export type AnswerStatus = keyof typeof REFUSALS;

export const ERROR_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'message', 'code', 'request_id'],
      properties: {
        type: {
          type: 'string',
          enum: [...new Set(Object.values(ERROR_TYPES))],
          description: 'Type of the error. Several codes can have the same type.',
        },
        message: {
          type: 'string',
          description: 'Explanation of the error for people. Programs should use `code`.',
        },
        details: {
          type: 'object',
          additionalProperties: true,
          description:
            'Details of the error. For a `validation_error`, `field` and `reason` describe the first error, and `errors` lists all errors.',
        },
        retry_after: {
          type: 'number',
          description: 'Number of seconds to wait before you send the request again.',
        },
        code: {
          type: 'string',
          description: 'Stable code of the error, more specific than `type`.',
        },
        request_id: {
          type: 'string',
          description: 'Id of the request. The header `X-Request-Id` contains the same id.',
        },
      },
    },
  },
};

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Number of seconds to wait before you send the request again.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
};
const HEADERS: Readonly<Partial<Record<AnswerStatus, NonNullable<ResponseObject['headers']>>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'Authentication scheme that the route accepts.',
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
  405: {
    Allow: {
      description: 'HTTP methods that the path supports.',
      schema: { type: 'string' },
      example: 'GET, HEAD, OPTIONS',
    },
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

export function isAnswerStatus(status: number): status is AnswerStatus {
  return status in REFUSALS;
}

export function refusalMeaning(status: AnswerStatus): string {
  return REFUSALS[status].means;
}

export function refusalResponse(status: AnswerStatus, description = refusalMeaning(status)): ResponseObject {
  return {
    description,
    headers: { ...HEADERS[status] },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: errorBody(REFUSALS[status].example, EXAMPLE_REQUEST_ID),
      },
    },
  };
}
