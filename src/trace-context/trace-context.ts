import { parseTraceState } from './trace-state.js';

/** The place in a distributed trace that a caller sent with a request (W3C Trace Context). */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span: 16 lower-case hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
  /** The caller's `tracestate`, passed on as it came; null without one. */
  readonly state: string | null;
}

/** The two headers of W3C Trace Context. Baggage is not among them: it is neither stored nor passed on. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace id, parent id and flags; a later version may append more fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Longest `traceparent` of a later version that is read, in characters. */
const MAX_TRACEPARENT = 512;

const SAMPLED = 0x01;

/**
 * Reads the headers of a request. Null without a valid `traceparent`, as the W3C demands: the request then starts a
 * trace of its own. An invalid `tracestate` is dropped alone.
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

/** The same of a request as Node.js has it. */
export function traceOfRequest({
  headers,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): TraceContext | null {
  const { traceparent } = headers;
  return traceparent === undefined ? null : receivedTrace(traceparent, headers['tracestate']);
}

/** The headers of a request that continues a context. */
export function traceHeaders({ traceId, spanId, isSampled, state }: TraceContext): TraceHeaders {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}

/** A context as one text, for a column. */
export function traceText(trace: TraceContext): string {
  const { traceparent, tracestate } = traceHeaders(trace);
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

/** Reads the text of `traceText`; null where it is none. */
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
