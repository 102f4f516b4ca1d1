import { parseTraceState } from './trace-state.js';

/** A caller's position in a distributed trace (W3C Trace Context). */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** Id of the caller's span: 16 lower-case hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
  /** The caller's `tracestate`, which is forwarded. Null for none. */
  readonly state: string | null;
}

/** The two headers of W3C Trace Context. The header `baggage` is neither stored nor forwarded. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace id, parent id and flags. A later version may append more fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Maximum length of a `traceparent` of a later version, in characters. Longer ones are ignored. */
const MAX_TRACEPARENT = 512;

const SAMPLED = 0x01;

/**
 * Reads the trace headers of a request. Null without a valid `traceparent`, as W3C requires. An invalid `tracestate`
 * is ignored.
 */
export function receivedTrace(
  traceparent: string | readonly string[] | undefined,
  tracestate: string | readonly string[] | undefined,
): TraceContext | null {
  if (typeof traceparent !== 'string') return null;
  const parent = parseTraceparent(traceparent);
  if (parent === null) return null;
  const states = typeof tracestate === 'object' ? tracestate.join(',') : tracestate;
  return { ...parent, state: states === undefined ? null : parseTraceState(states) };
}

/** The trace context of a Node.js request. Null without a valid `traceparent`. */
export function traceOfRequest({
  headers,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): TraceContext | null {
  const { traceparent } = headers;
  return traceparent === undefined ? null : receivedTrace(traceparent, headers['tracestate']);
}

export function traceHeaders({ traceId, spanId, isSampled, state }: TraceContext): TraceHeaders {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}

/** Serializes a trace context for a database column. */
export function traceText(trace: TraceContext): string {
  const { traceparent, tracestate } = traceHeaders(trace);
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

/** Parses a result of `traceText`. Null for other strings. */
export function traceOfText(text: string): TraceContext | null {
  const space = text.indexOf(' ');
  return space < 0
    ? receivedTrace(text, undefined)
    : receivedTrace(text.slice(0, space), text.slice(space + 1));
}

function parseTraceparent(header: string): Omit<TraceContext, 'state'> | null {
  if (header.length > MAX_TRACEPARENT) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff') return null;
  if (version === '00' && more !== undefined) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

function isZero(digits: string): boolean {
  return /^0+$/.test(digits);
}
