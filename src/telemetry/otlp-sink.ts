import {
  type Attributes,
  createTraceState,
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanLink } from './span.js';
import { type SpanSink, SpansRejectedError } from './span-sink.js';

export interface OtlpOptions {
  /** URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly instanceId: string;
}

/** HTTP statuses after which the collector may accept the same spans later. */
const RETRYABLE = [408, 429, 502, 503, 504];

const UNSET = { code: SpanStatusCode.UNSET };

/** Sends spans by OTLP/HTTP. Loaded only for a configured collector. */
export class OtlpSink implements SpanSink {
  private readonly exporter: OTLPTraceExporter;
  private readonly resource: Resource;
  private readonly scope: ReadableSpan['instrumentationScope'];

  constructor({ endpoint, headers, serviceName, version, instanceId }: OtlpOptions) {
    this.exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: { ...headers },
    });
    this.resource = resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    });
    this.scope = { name: 'workflow-service', version };
  }

  send(spans: readonly Span[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const readable = spans.map((span) => new OtlpSpan(span, this.resource, this.scope));
      this.exporter.export(readable, ({ error }) => {
        if (error === undefined) resolve();
        else reject(failureOf(error));
      });
    });
  }

  close(): Promise<void> {
    return this.exporter.shutdown();
  }
}

/** A span for the exporter. A class, because copying objects would take more time than the export. */
class OtlpSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly links: Link[];
  readonly events: TimedEvent[];
  readonly ended = true;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly parentSpanContext?: SpanContext;
  readonly #context: SpanContext;

  constructor(
    span: Span,
    readonly resource: Resource,
    readonly instrumentationScope: ReadableSpan['instrumentationScope'],
  ) {
    const { traceId, parentSpanId, startedAt, endedAt, error } = span;
    this.#context = contextOf(span, span.traceState);
    if (parentSpanId !== null)
      this.parentSpanContext = {
        traceId,
        spanId: parentSpanId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: span.hasRemoteParent,
      };
    this.name = span.name;
    this.kind = span.kind === 'execution' ? SpanKind.CONSUMER : SpanKind.INTERNAL;
    this.startTime = hrTime(startedAt);
    this.endTime = hrTime(endedAt);
    this.duration = hrTime(endedAt - startedAt);
    this.status = error === null ? UNSET : { code: SpanStatusCode.ERROR, message: error };
    this.attributes = error === null ? span.attributes : { ...span.attributes, 'error.type': error };
    this.links = span.links.map((link) => ({ context: contextOf(link) }));
    this.events = span.events.map(({ name, at }) => ({ name, time: hrTime(at) }));
  }

  spanContext(): SpanContext {
    return this.#context;
  }
}

function contextOf({ traceId, spanId }: SpanLink, traceState: string | null = null): SpanContext {
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return traceState === null ? context : { ...context, traceState: createTraceState(traceState) };
}

function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}

function failureOf(error: Error): Error {
  const { code } = error as { readonly code?: unknown };
  const isFinal = typeof code === 'number' && code >= 400 && !RETRYABLE.includes(code);
  return isFinal ? new SpansRejectedError(error) : error;
}
