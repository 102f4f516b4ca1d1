import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../openapi/openapi-decorators.js';

/**
 * Parameter decorator for the header `If-Match`; undefined if the request has none. Nest's own decorator is not used,
 * because it documents every header as required and in lower case.
 */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  context.switchToHttp().getRequest<Request>().get('If-Match'),
);

/** Documents that a handler accepts `If-Match`, and responds with 412 if the resource was changed in the meantime. */
export function TakesIfMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The ETag of the version that you read. The request fails with 412 if the resource has changed since.',
      schema: { type: 'string' },
      example: '"3"',
    }),
    ApiErrors(412),
  );
}
