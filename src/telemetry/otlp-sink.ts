import { createTraceState, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanLink } from './span.js';
import { type SpanSink, SpansRejectedError } from './span-sink.js';

/** The collector, and the attributes of this process. */
export interface OtlpOptions {
  /** URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly instanceId: string;
}

/** Statuses of HTTP after which the same spans may be accepted later. */
const RETRYABLE = [408, 429, 502, 503, 504];

const UNSET = { code: SpanStatusCode.UNSET };

/** Sends spans by OTLP/HTTP. Only loaded where a collector is set. */
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
      const readable = spans.map((span) => this.readable(span));
      this.exporter.export(readable, ({ error }) => {
        if (error === undefined) resolve();
        else reject(failureOf(error));
      });
    });
  }

  close(): Promise<void> {
    return this.exporter.shutdown();
  }

  private readable(span: Span): ReadableSpan {
    const { traceId, parentSpanId, traceState, startedAt, endedAt, error } = span;
    const context = contextOf(span, traceState);
    return {
      name: span.name,
      kind: span.kind === 'execution' ? SpanKind.CONSUMER : SpanKind.INTERNAL,
      spanContext: () => context,
      ...(parentSpanId === null
        ? {}
        : {
            parentSpanContext: {
              ...contextOf({ traceId, spanId: parentSpanId }),
              isRemote: span.hasRemoteParent,
            },
          }),
      startTime: hrTime(startedAt),
      endTime: hrTime(endedAt),
      duration: hrTime(endedAt - startedAt),
      status: error === null ? UNSET : { code: SpanStatusCode.ERROR, message: error },
      attributes: error === null ? span.attributes : { ...span.attributes, 'error.type': error },
      links: span.links.map((link) => ({ context: contextOf(link) })),
      events: span.events.map(({ name, at }) => ({ name, time: hrTime(at) })),
      ended: true,
      resource: this.resource,
      instrumentationScope: this.scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
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
