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
  return spanId(executionId, part === 0 ? '' : `:${part}`);
}

/** Id of an attempt's span, computed like `executionSpanId`. */
export function attemptSpanId(executionId: string, attempted: TracedAttempt, part = 0): string {
  const { nodeId, iteration, attempt } = attempted;
  const place = `/${nodeId}${iteration === null ? '' : `[${iteration}]`}#${attempt}`;
  return spanId(executionId, part === 0 ? place : `${place}:${part}`);
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

/** The two halves of a 64-bit hash. */
interface Hash {
  readonly high: number;
  readonly low: number;
}

const EMPTY: Hash = { high: 0xdeadbeef, low: 0x41c6ce57 };

/** The hash of the last execution id, cached because an execution has several spans. */
let last = { executionId: '', hash: EMPTY };

const id = Buffer.alloc(8);

/**
 * Computes the fast hash cyrb53, with all 64 bits. A cryptographic hash is not necessary, because span ids only have to
 * differ within a trace.
 */
function spanId(executionId: string, place: string): string {
  if (executionId !== last.executionId) last = { executionId, hash: hashed(EMPTY, executionId) };
  const { high, low } = hashed(last.hash, place);
  const mixed = mix(high, low);
  id.writeInt32BE(mixed, 0);
  id.writeInt32BE(mix(low, mixed), 4);
  return id.toString('hex');
}

function hashed(start: Hash, text: string): Hash {
  let { high, low } = start;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  return { high, low };
}

/** Spreads each bit over the result. The factors are those of MurmurHash3. */
function mix(half: number, other: number): number {
  return Math.imul(half ^ (half >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
}
