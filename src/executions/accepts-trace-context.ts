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
      description:
        'Trace and parent span of the caller (W3C Trace Context). The service ignores invalid values.',
    }),
    ApiHeader({
      name: 'tracestate',
      required: false,
      description:
        'Vendor-specific data of the trace (W3C Trace Context). The service ignores it if `traceparent` is missing or invalid.',
    }),
  );
}
