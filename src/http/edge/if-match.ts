import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../openapi/openapi-decorators.js';

/**
 * Parameter decorator that reads the header `If-Match`. The decorator `Headers` of NestJS would document the header as
 * required.
 */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  context.switchToHttp().getRequest<Request>().get('If-Match'),
);

/** Documents for a route the header `If-Match`, and the status 412 for a resource that has changed. */
export function TakesIfMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'ETag that you received when you read the resource. If the resource has changed since then, the request fails with 412.',
      schema: { type: 'string' },
      example: '"3"',
    }),
    ApiErrors(412),
  );
}
