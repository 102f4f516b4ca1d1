import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type AnswerStatus, refusalMeaning } from './openapi-errors.js';
import { Pagination } from '../../pages/index.js';

export interface DocumentedAnswer {
  readonly description: string;
  readonly type?: Type | readonly [Type];
  /** True if the body of the response can be any JSON value. Otherwise absent. */
  readonly isAnyJson?: true;
  readonly example?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ETAG_HEADER = {
  ETag: 'The version of the resource, for `If-Match` and `If-None-Match`. Fields that executions update do not change it.',
};
export const LOCATION_HEADER = { Location: 'The path of the created resource.' };

/** Method decorator that documents the responses of a route by HTTP status. */
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

/**
 * Method decorator that documents the error responses of a route. The statuses 400, 401, 403, 404, 413, 415, 429, 500
 * and 503 are added automatically where they apply.
 */
export function ApiErrors(...statuses: readonly AnswerStatus[]): MethodDecorator {
  return applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, description: refusalMeaning(status) })),
  );
}

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
