import { parseTraceState } from './trace-state.js';

/** Position of a caller in a distributed trace, as in W3C Trace Context. */
export interface TraceContext {
  /** Id of the trace: 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** Id of the caller's span: 16 lower-case hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace, according to the flag `sampled` in `traceparent`. */
  readonly isSampled: boolean;
  /** The caller's `tracestate`, which the service forwards. Null if the caller sent no valid `tracestate`. */
  readonly state: string | null;
}

/** The two headers of W3C Trace Context. The service neither stores nor forwards the header `baggage`. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * Matches a `traceparent`: version, trace id, parent id and flags. Later versions of the standard may append fields.
 */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Maximum length of a `traceparent` in characters. A longer `traceparent` is ignored. Only later versions of the
 * standard can exceed 55 characters.
 */
const MAX_TRACEPARENT = 512;

const SAMPLED = 0x01;

/**
 * Returns the trace context from the trace headers of a request. Without a valid `traceparent`, returns null, as W3C
 * requires. An invalid `tracestate` is ignored.
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

/** Returns the trace context of an incoming Node.js request. Null without a valid `traceparent`. */
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

/** Converts a trace context to a text for a database column. */
export function traceText(trace: TraceContext): string {
  const { traceparent, tracestate } = traceHeaders(trace);
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

/** Parses a text that `traceText` has returned. Returns null for any other text. */
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
