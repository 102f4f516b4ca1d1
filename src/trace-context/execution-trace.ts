import { type TraceContext, type TraceHeaders, traceHeaders } from './trace-context.js';

export interface TracedExecution {
  readonly id: string;
  /** The caller's trace, which the execution continues. Null if the execution starts a new trace. */
  readonly trace: TraceContext | null;
}

/** One attempt of a node. For a node in a loop, `iteration` is the index of the loop item. */
export interface TracedAttempt {
  readonly nodeId: string;
  readonly iteration: number | null;
  readonly attempt: number;
}

/**
 * Returns the trace id of the caller's trace. If the execution starts a new trace, returns the execution id without
 * hyphens.
 */
export function traceIdOf({ id, trace }: TracedExecution): string {
  return trace === null ? withoutHyphens(id) : trace.traceId;
}

/** Returns a UUID without its hyphens. Slices take half the time of `replaceAll`. */
function withoutHyphens(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
}

/**
 * Computes the id of an execution's span as a hash, so that every process computes the same id.
 *
 * @param part 0 for the first span of the execution; increases by one with each span after a suspension
 */
export function executionSpanId(executionId: string, part = 0): string {
  return spanId(executionId, part === 0 ? '' : `:${part}`);
}

/** Computes the id of an attempt's span as a hash, so that every process computes the same id. */
export function attemptSpanId(executionId: string, attempted: TracedAttempt, part = 0): string {
  const { nodeId, iteration, attempt } = attempted;
  const place = `/${nodeId}${iteration === null ? '' : `[${iteration}]`}#${attempt}`;
  return spanId(executionId, part === 0 ? place : `${place}:${part}`);
}

/** Returns the trace context that an attempt sends with its requests. The span of the attempt is the parent. */
export function attemptTrace(execution: TracedExecution, attempted: TracedAttempt): TraceContext {
  return within(execution, attemptSpanId(execution.id, attempted));
}

/** Returns the trace context for requests that concern an execution but no attempt, such as requests to webhooks. */
export function executionTrace(execution: TracedExecution): TraceContext {
  return within(execution, executionSpanId(execution.id));
}

/** Returns the headers `traceparent` and `tracestate` for a request that concerns an execution. */
export function executionTraceHeaders(execution: TracedExecution): TraceHeaders {
  return traceHeaders(executionTrace(execution));
}

/**
 * Returns a trace context with the given span as parent. A new trace is always marked as sampled, so that called
 * services can record their spans.
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

/** A 64-bit hash as two halves of 32 bits. */
interface Hash {
  readonly high: number;
  readonly low: number;
}

const EMPTY: Hash = { high: 0xdeadbeef, low: 0x41c6ce57 };

/** Hash of the execution id of the previous call. The hash is cached, because one execution has several span ids. */
let last = { executionId: '', hash: EMPTY };

const id = Buffer.alloc(8);

/**
 * Computes a span id with the fast hash cyrb53, but keeps all 64 bits. A cryptographic hash is unnecessary, because
 * span ids must differ only within a trace.
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

/**
 * Mixes two halves of a hash, so that each bit of the input affects the whole result. The factors are those of
 * MurmurHash3.
 */
function mix(half: number, other: number): number {
  return Math.imul(half ^ (half >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
}
