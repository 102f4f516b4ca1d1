import { expect, it } from 'vitest';
import { OtlpBody, otlpHead } from './otlp-json.js';
import type { Span } from './span.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const IDS = { traceId: TRACE, spanId: 'b7ad6b7169203331' };
const LINK = { traceId: TRACE, spanId: '00f067aa0ba902b7' };
const SPAN: Span = {
  ...IDS,
  parentSpanId: null,
  hasRemoteParent: false,
  traceState: null,
  name: 'set a',
  kind: 'attempt',
  startedAt: 1_790_000_000_001,
  endedAt: 1_790_000_000_002,
  attributes: '',
  links: [],
  events: [],
  error: null,
};
const PLAIN = {
  ...IDS,
  flags: 0x101,
  name: 'set a',
  kind: 1,
  startTimeUnixNano: '1790000000001000000',
  endTimeUnixNano: '1790000000002000000',
  attributes: [],
};
const HEAD = otlpHead({ 'service.name': 'a "b"' }, { name: 'scope', version: '1' });

function requestOf(spans: readonly Span[]): unknown {
  const body = new OtlpBody(HEAD);
  body.add(spans);
  return JSON.parse(Buffer.from(body.encoded()).toString());
}

const spansOf = (...spans: readonly Span[]): unknown => {
  const { resourceSpans } = requestOf(spans) as {
    readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: unknown }[] }[];
  };
  return resourceSpans[0]?.scopeSpans[0]?.spans;
};

it('an OTLP request names the service and the instrumentation scope, and contains all spans', () => {
  expect(requestOf([SPAN, SPAN])).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'a "b"' } }] },
        scopeSpans: [{ scope: { name: 'scope', version: '1' }, spans: [PLAIN, PLAIN] }],
      },
    ],
  });
});

it('a span in OTLP contains every field of the recorded span', () => {
  const span: Span = {
    ...SPAN,
    parentSpanId: LINK.spanId,
    hasRemoteParent: true,
    traceState: 'a="1"',
    name: 'execution',
    kind: 'execution',
    attributes: '{"key":"count","value":{"intValue":3}}',
    links: [LINK, LINK],
    events: [{ name: 'recovered', at: 7 }],
    error: 'http_"error"',
  };
  expect(spansOf(span)).toEqual([
    {
      ...PLAIN,
      parentSpanId: LINK.spanId,
      flags: 0x301,
      traceState: 'a="1"',
      name: 'execution',
      kind: 5,
      attributes: [{ key: 'count', value: { intValue: 3 } }],
      links: [
        { ...LINK, flags: 0x101 },
        { ...LINK, flags: 0x101 },
      ],
      events: [{ timeUnixNano: '7000000', name: 'recovered' }],
      status: { code: 2, message: 'http_"error"' },
    },
  ]);
});

it('spans can be added to an OTLP body that was already encoded', () => {
  const body = new OtlpBody(HEAD);
  body.add([SPAN]);
  body.encoded();
  body.add([SPAN]);
  expect(body.spans).toBe(2);
  expect(JSON.parse(Buffer.from(body.encoded()).toString())).toEqual(requestOf([SPAN, SPAN]));
});

it('the buffer of an OTLP body grows when the spans need more space', () => {
  const long: Span = { ...SPAN, error: '\u20ac'.repeat(1_000) };
  const spans = Array.from({ length: 600 }, () => long);
  expect(requestOf(spans)).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: spans.map(({ error }) => ({ status: { message: error } })) }] }],
  });
});
