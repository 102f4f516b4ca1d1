export {
  attemptSpanId,
  attemptTrace,
  executionSpanId,
  executionTrace,
  executionTraceHeaders,
  type TracedAttempt,
  type TracedExecution,
  traceIdOf,
} from './execution-trace.js';
export {
  receivedTrace,
  type TraceContext,
  type TraceHeaders,
  traceHeaders,
  traceOfRequest,
  traceOfText,
  traceText,
} from './trace-context.js';
