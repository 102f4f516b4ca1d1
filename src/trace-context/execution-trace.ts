import { hash } from 'node:crypto';
import { type TraceContext, type TraceHeaders, traceHeaders } from './trace-context.js';

export interface TracedExecution {
  readonly id: string;
  /** The trace to continue. Null for a new trace. */
  readonly trace: TraceContext | null;
}

/** An attempt of a node, with the index of the loop item. */
export interface TracedAttempt {
  readonly nodeId: string;
  readonly iteration: number | null;
  readonly attempt: number;
}

/** Trace id of the continued trace, or else the execution id without hyphens. */
export function traceIdOf({ id, trace }: TracedExecution): string {
  return trace === null ? id.replaceAll('-', '') : trace.traceId;
}

/**
 * Id of an execution's span: a hash, so that every process computes the same id.
 *
 * @param part 0 for the first span; higher for the spans after long waits
 */
export function executionSpanId(executionId: string, part = 0): string {
  return spanId(part === 0 ? executionId : `${executionId}:${part}`);
}

/** Id of an attempt's span, computed like `executionSpanId`. */
export function attemptSpanId(executionId: string, attempted: TracedAttempt, part = 0): string {
  const { nodeId, iteration, attempt } = attempted;
  const place = `${executionId}/${nodeId}${iteration === null ? '' : `[${iteration}]`}#${attempt}`;
  return spanId(part === 0 ? place : `${place}:${part}`);
}

/** The trace context for an attempt's calls, with the attempt's span as parent. */
export function attemptTrace(execution: TracedExecution, attempted: TracedAttempt): TraceContext {
  return within(execution, attemptSpanId(execution.id, attempted));
}

/** The trace context of an execution for calls outside an attempt, such as a webhook. */
export function executionTrace(execution: TracedExecution): TraceContext {
  return within(execution, executionSpanId(execution.id));
}

/** `traceparent` and `tracestate` for a request about an execution. */
export function executionTraceHeaders(execution: TracedExecution): TraceHeaders {
  return traceHeaders(executionTrace(execution));
}

/**
 * The trace context of a span. New traces are always marked as sampled, so that called services may record their
 * part.
 */
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
