import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type AnswerStatus, refusalMeaning } from './openapi-errors.js';
import { Pagination } from '../../pages/index.js';

export interface DocumentedAnswer {
  readonly description: string;
  /** Class of the body; none for an empty one. */
  readonly type?: Type | readonly [Type];
  /** The body is any JSON. */
  readonly isAnyJson?: true;
  readonly example?: unknown;
  /** Header names with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers common to many responses, for reference. */
export const ETAG_HEADER = {
  ETag: 'The version of the resource, for `If-Match` and `If-None-Match`; what executions add to it does not count.',
};
export const LOCATION_HEADER = { Location: 'The path of what was created.' };

/** Documents the responses of a handler, by status, and its errors besides those of every operation. */
export function ApiAnswers(
  answers: Readonly<Record<number, DocumentedAnswer>>,
  ...refusals: readonly AnswerStatus[]
): MethodDecorator {
  const own = Object.entries(answers).map(([status, { description, type, isAnyJson, example, headers }]) =>
    ApiResponse({
      status: Number(status),
      description,
      ...(type === undefined
        ? {}
        : { type: Array.isArray(type) ? [...(type as readonly [Type])] : (type as Type) }),
      ...(isAnyJson === undefined ? {} : { schema: {} }),
      ...(example === undefined ? {} : { example }),
      ...(headers === undefined ? {} : { headers: documentedHeaders(headers) }),
    }),
  );
  return applyDecorators(...own, ApiErrors(...refusals));
}

/** Documents error responses of a handler; 400, 401, 403, 404, 413, 415, 429 and 500 are added automatically. */
export function ApiErrors(...statuses: readonly AnswerStatus[]): MethodDecorator {
  return applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, description: refusalMeaning(status) })),
  );
}

/** Documents the response of a list. */
export function ApiPage(item: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(item, Pagination),
    ApiResponse({
      status: 200,
      description,
      schema: {
        type: 'object',
        required: ['data', 'pagination'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(item) } },
          pagination: { $ref: getSchemaPath(Pagination) },
        },
      },
    }),
  );
}

function documentedHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, { description: string; schema: { type: string } }> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}
