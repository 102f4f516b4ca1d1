import type { Attributes } from '@opentelemetry/api';

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
  readonly name: string;
  readonly kind: 'execution' | 'attempt';
  readonly startedAt: number;
  readonly endedAt: number;
  /** Ids, types and counts, but never a value of a workflow. */
  readonly attributes: Attributes;
  readonly links: readonly SpanLink[];
  readonly events: readonly { readonly name: string; readonly at: number }[];
  /** Code of the error. Null for a successful span. */
  readonly error: string | null;
}
