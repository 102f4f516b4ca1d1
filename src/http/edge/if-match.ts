import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../openapi/openapi-decorators.js';

/**
 * A parameter of a handler: the header `If-Match`, undefined if absent. Nest's own decorator documents every header as
 * required, in lower case.
 */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  context.switchToHttp().getRequest<Request>().get('If-Match'),
);

/** Documents that a handler takes `If-Match` and refuses a lost update with 412. */
export function TakesIfMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The ETag that was read; a lost update is refused with 412.',
      schema: { type: 'string' },
      example: '"3"',
    }),
    ApiErrors(412),
  );
}
