export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** A span that has ended. Times are epoch milliseconds. */
export interface Span extends SpanLink {
  /** Id of the parent span. Null for the root span of a trace. */
  readonly parentSpanId: string | null;
  /** Whether the parent span belongs to another service. */
  readonly hasRemoteParent: boolean;
  readonly traceState: string | null;
  /** Name of the span. The name must not contain characters that JSON must escape. */
  readonly name: string;
  readonly kind: 'execution' | 'attempt';
  readonly startedAt: number;
  readonly endedAt: number;
  /**
   * Attributes in the JSON format of OTLP, separated by commas. The attributes contain ids, types and counts, but never
   * data of a workflow.
   */
  readonly attributes: string;
  readonly links: readonly SpanLink[];
  readonly events: readonly { readonly name: string; readonly at: number }[];
  /** Error code of the failed execution or attempt. Null for a span without an error. */
  readonly error: string | null;
}
