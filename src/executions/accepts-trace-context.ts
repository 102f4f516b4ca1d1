import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

/**
 * Method decorator that documents the headers `traceparent` and `tracestate` of a route. Routes ignore invalid values,
 * as W3C Trace Context requires.
 */
export function AcceptsTraceContext(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'traceparent',
      required: false,
      description: 'W3C Trace Context of the caller. Invalid values are ignored.',
    }),
    ApiHeader({
      name: 'tracestate',
      required: false,
      description: 'Vendor-specific members of the trace. Ignored without a valid `traceparent`.',
    }),
  );
}
