import type { IOtlpExportDelegate } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { OtlpBody, otlpHead } from './otlp-json.js';
import { type SpanBody, type SpanSink, SpansRejectedError } from './span-sink.js';

export interface OtlpOptions {
  /** URL of the collector, without the path `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly instanceId: string;
}

/** HTTP statuses after which the collector may accept the same spans in a later request. */
const RETRYABLE = [408, 429, 502, 503, 504];

/** Sends spans to the collector over OTLP/HTTP. This module is loaded only if a collector is configured. */
export class OtlpSink implements SpanSink {
  private readonly exporter: IOtlpExportDelegate<SpanBody>;
  private readonly head: string;

  constructor({ endpoint, headers, serviceName, version, instanceId }: OtlpOptions) {
    this.head = otlpHead(
      { 'service.name': serviceName, 'service.version': version, 'service.instance.id': instanceId },
      { name: 'workflow-service', version },
    );
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    // oxlint-disable-next-line typescript/no-deprecated -- Nothing else reads every OTEL_EXPORTER_OTLP_* setting.
    const options = convertLegacyHttpOptions({ url, headers: { ...headers } }, 'TRACES', 'v1/traces', {
      'Content-Type': 'application/json',
    });
    this.exporter = createOtlpHttpExportDelegate(
      options,
      {
        serializeRequest: (body: SpanBody) => body.encoded(),
        deserializeResponse: () => ({}),
      },
      'otlp_http_span_exporter',
      { name: 'span', countItems: ({ spans }) => spans },
      undefined,
    );
  }

  body(): SpanBody {
    return new OtlpBody(this.head);
  }

  send(body: SpanBody): Promise<void> {
    return new Promise((resolve, reject) => {
      this.exporter.export(body, ({ error }) => {
        if (error === undefined) resolve();
        else reject(failureOf(error));
      });
    });
  }

  close(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function failureOf(error: Error): Error {
  const { code } = error as { readonly code?: unknown };
  const isFinal = typeof code === 'number' && code >= 400 && !RETRYABLE.includes(code);
  return isFinal ? new SpansRejectedError(error) : error;
}
