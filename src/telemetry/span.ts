export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** A finished span. Times are epoch milliseconds. */
export interface Span extends SpanLink {
  /** Null for the root of a trace. */
  readonly parentSpanId: string | null;
  /** Whether the parent is a span of another service. */
  readonly hasRemoteParent: boolean;
  readonly traceState: string | null;
  /** Contains no characters that need escapes in JSON. */
  readonly name: string;
  readonly kind: 'execution' | 'attempt';
  readonly startedAt: number;
  readonly endedAt: number;
  /**
   * Ids, types and counts, but never a value of a workflow. The attributes are encoded as JSON of OTLP and separated by
   * commas.
   */
  readonly attributes: string;
  readonly links: readonly SpanLink[];
  readonly events: readonly { readonly name: string; readonly at: number }[];
  /** Code of the error. Null for a successful span. */
  readonly error: string | null;
}
