import { quoted } from './quoted.js';
import type { Span, SpanLink } from './span.js';
import type { SpanBody } from './span-sink.js';

/** Values of the enum `SpanKind` of OTLP: 1 is INTERNAL, 5 is CONSUMER. */
const KINDS = { attempt: 1, execution: 5 } as const;

/**
 * Flags of a span in OTLP: 0x001 marks the trace as sampled, and 0x100 says that the flag 0x200 (remote parent) is
 * valid.
 */
const FLAGS = 0x101;
const HAS_REMOTE_PARENT = 0x200;

const STATUS_ERROR = 2;

const TAIL = ']}]}]}';

/** Initial capacity of a request body in bytes, which suffices for the usual number of spans. */
const CAPACITY = 524_288;

/** Maximum number of UTF-8 bytes that encode one UTF-16 code unit. */
const MAX_UNIT = 3;

/**
 * Returns the start of a request body: the attributes of the service, and the name and version of the instrumentation.
 */
export function otlpHead(
  resource: Readonly<Record<string, string>>,
  scope: { readonly name: string; readonly version: string },
): string {
  const attributes = Object.entries(resource).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  return (
    `{"resourceSpans":[{"resource":${JSON.stringify({ attributes })},` +
    `"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`
  );
}

/**
 * Body of an OTLP/HTTP request in JSON. Each span is encoded when it is added, so that the span object can be
 * garbage-collected. Fields with the default value of OTLP are omitted.
 */
export class OtlpBody implements SpanBody {
  /** Number of spans in the request body. */
  spans = 0;
  private bytes = Buffer.allocUnsafe(CAPACITY);
  private length = 0;

  constructor(head: string) {
    this.write(head);
  }

  add(spans: readonly Span[]): void {
    let text = '';
    for (const span of spans) {
      if (this.spans > 0) text += ',';
      text += spanText(span);
      this.spans += 1;
    }
    this.write(text);
  }

  /**
   * Returns the complete JSON body. The bytes are valid only until the next call of `add`, which may overwrite them.
   */
  encoded(): Uint8Array {
    const { length } = this;
    this.write(TAIL);
    const encoded = this.bytes.subarray(0, this.length);
    this.length = length;
    return encoded;
  }

  private write(text: string): void {
    const wanted = this.length + text.length * MAX_UNIT;
    if (wanted > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(wanted, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.length += this.bytes.write(text, this.length);
  }
}

function spanText(span: Span): string {
  const { parentSpanId, traceState, links, events, error } = span;
  const flags = span.hasRemoteParent ? FLAGS | HAS_REMOTE_PARENT : FLAGS;
  let text =
    `{"traceId":"${span.traceId}","spanId":"${span.spanId}","flags":${flags},"name":"${span.name}",` +
    `"kind":${KINDS[span.kind]},"startTimeUnixNano":"${span.startedAt}000000",` +
    `"endTimeUnixNano":"${span.endedAt}000000","attributes":[${span.attributes}]`;
  if (parentSpanId !== null) text += `,"parentSpanId":"${parentSpanId}"`;
  if (traceState !== null) text += `,"traceState":${quoted(traceState)}`;
  if (links.length > 0) text += `,"links":[${links.map(linkText).join(',')}]`;
  if (events.length > 0) text += `,"events":[${events.map(eventText).join(',')}]`;
  if (error !== null) text += `,"status":{"code":${STATUS_ERROR},"message":${quoted(error)}}`;
  return `${text}}`;
}

function linkText({ traceId, spanId }: SpanLink): string {
  return `{"traceId":"${traceId}","spanId":"${spanId}","flags":${FLAGS}}`;
}

function eventText({ name, at }: Span['events'][number]): string {
  return `{"timeUnixNano":"${at}000000","name":${quoted(name)}}`;
}
