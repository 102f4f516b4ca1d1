import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

/** Documents the headers that `traceOfRequest` reads. Invalid ones are ignored, as the W3C demands. */
export function AcceptsTraceContext(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'traceparent',
      required: false,
      description: 'W3C Trace Context of the caller. An invalid one is ignored.',
    }),
    ApiHeader({
      name: 'tracestate',
      required: false,
      description: 'Vendor members of the trace. Read with a valid `traceparent` only.',
    }),
  );
}
