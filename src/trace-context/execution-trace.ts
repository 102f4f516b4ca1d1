import { hash } from 'node:crypto';
import { type TraceContext, type TraceHeaders, traceHeaders } from './trace-context.js';

/** What the trace of an execution follows from. */
export interface TracedExecution {
  /** UUID. */
  readonly id: string;
  /** Where the execution continues the trace of a caller, a parent or a retried execution; null where it starts one. */
  readonly trace: TraceContext | null;
}

/** One attempt of a node, and of an item inside a loop. */
export interface TracedAttempt {
  readonly nodeId: string;
  readonly iteration: number | null;
  readonly attempt: number;
}

/** Trace id of an execution: the caller's, else the execution's own id without its hyphens. */
export function traceIdOf({ id, trace }: TracedExecution): string {
  return trace === null ? id.replaceAll('-', '') : trace.traceId;
}

/**
 * Id of a span of an execution. A hash of what the span is about, so that every process gives it the same id, before
 * and after a crash.
 * @param part 0 for the first span; a span that goes on after a long wait has parts
 */
export function executionSpanId(executionId: string, part = 0): string {
  return spanId(part === 0 ? executionId : `${executionId}:${part}`);
}

/** The same for the span of an attempt. */
export function attemptSpanId(executionId: string, attempted: TracedAttempt, part = 0): string {
  const { nodeId, iteration, attempt } = attempted;
  const place = `${executionId}/${nodeId}${iteration === null ? '' : `[${iteration}]`}#${attempt}`;
  return spanId(part === 0 ? place : `${place}:${part}`);
}

/** The context in which an attempt calls others: the span of the attempt is their parent. */
export function attemptTrace(execution: TracedExecution, attempted: TracedAttempt): TraceContext {
  return within(execution, attemptSpanId(execution.id, attempted));
}

/** The context of an execution itself, for what belongs to no attempt: a retry of it, a webhook. */
export function executionTrace(execution: TracedExecution): TraceContext {
  return within(execution, executionSpanId(execution.id));
}

/** `traceparent` and `tracestate` for a request about an execution. */
export function executionTraceHeaders(execution: TracedExecution): TraceHeaders {
  return traceHeaders(executionTrace(execution));
}

/** A trace that starts here counts as sampled, exported or not: services that are called may record their part. */
function within(execution: TracedExecution, span: string): TraceContext {
  const { trace } = execution;
  return {
    traceId: traceIdOf(execution),
    spanId: span,
    isSampled: trace?.isSampled ?? true,
    state: trace?.state ?? null,
  };
}

function spanId(name: string): string {
  return hash('sha256', name, 'hex').slice(0, 16);
}
