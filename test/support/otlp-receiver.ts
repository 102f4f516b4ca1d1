import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

type AttributeValue = string | number | boolean;

/** A trace span as the collector received it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly traceState: string | null;
  readonly name: string;
  /** Start time of the span, in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events: readonly string[];
  /** OTLP status code of the span. The value 2 means an error. */
  readonly status: number;
  readonly service: string;
}

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, AttributeValue>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly WireAttribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events?: readonly { readonly name: string }[];
  readonly status?: { readonly code: number };
}

/** A trace collector for tests. It receives spans as JSON through OTLP over HTTP. */
export class OtlpReceiver {
  /** All received spans in order of arrival. A span that was sent twice is contained twice. */
  readonly received: ReceivedSpan[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** The bodies of the received requests, as text. */
  readonly bodies: string[] = [];
  /** HTTP status with which the collector responds. The collector drops spans unless the status is 200. */
  status = 200;
  /** Number of requests to which the collector responded with an error status. */
  refused = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (receiver.status === 200) receiver.take(request, Buffer.concat(chunks).toString());
        else receiver.refused += 1;
        response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the spans of an execution by span id, so without duplicates. */
  of(executionId: string): ReadonlyMap<string, ReceivedSpan> {
    const own = this.received.filter(
      ({ attributes }) => attributes['workflow_service.execution.id'] === executionId,
    );
    return new Map(own.map((span) => [span.spanId, span]));
  }

  /**
   * Waits for the span with the final status of an execution, which the service sends last.
   * @returns all spans of the execution
   */
  async ended(executionId: string): Promise<readonly ReceivedSpan[]> {
    return until(`the spans of ${executionId}`, () => {
      const spans = [...this.of(executionId).values()];
      return spans.some(isLast) && spans;
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, body: string): void {
    this.headers.push(request.headers);
    this.bodies.push(body);
    if (request.url !== '/v1/traces')
      throw new Error(`Spans were sent to ${request.url}, not to /v1/traces.`);
    const { resourceSpans } = JSON.parse(body) as {
      readonly resourceSpans: readonly {
        readonly resource: { readonly attributes: readonly WireAttribute[] };
        readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
      }[];
    };
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans)
          this.received.push(spanOf(span, String(attributesOf(resource.attributes)['service.name'])));
  }
}

/** Returns whether a span contains the final status of its execution. */
export function isLast({ name, attributes }: ReceivedSpan): boolean {
  const outcome = attributes['workflow_service.outcome'];
  return name.startsWith('execution') && outcome !== 'waiting' && outcome !== 'paused';
}

/**
 * Returns the errors in the span tree of one execution. A valid tree has one root, and each other span has a parent in
 * the tree.
 * @param remoteParent id of the caller's span, which must be the parent of the root
 */
export function treeFaults(
  spans: readonly ReceivedSpan[],
  remoteParent: string | null = null,
): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === remoteParent);
  const orphans = spans.filter(
    ({ parentSpanId }) => parentSpanId !== remoteParent && (parentSpanId === null || !ids.has(parentSpanId)),
  );
  return [
    ...(roots.length === 1 ? [] : [`${roots.length} roots`]),
    ...orphans.map(({ name, parentSpanId }) => `${name} has no parent ${parentSpanId}`),
    ...(new Set(spans.map(({ traceId }) => traceId)).size === 1 ? [] : ['several traces']),
    ...(spans.filter(isLast).length === 1 ? [] : [`${spans.filter(isLast).length} ends`]),
    ...spans.filter(({ start, end }) => end < start).map(({ name }) => `${name} ends before it starts`),
  ];
}

function spanOf(span: WireSpan, service: string): ReceivedSpan {
  const ms = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000_000n);
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? null,
    traceState: span.traceState ?? null,
    name: span.name,
    start: ms(span.startTimeUnixNano),
    end: ms(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
    events: (span.events ?? []).map(({ name }) => name),
    status: span.status?.code ?? 0,
    service,
  };
}

function attributesOf(attributes: readonly WireAttribute[]): Readonly<Record<string, AttributeValue>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}
