import { describe, expect, it } from 'vitest';
import { receivedTrace, traceHeaders, traceOfText, traceText } from './trace-context.js';
import { parseTraceState } from './trace-state.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const VALID = `00-${TRACE}-${SPAN}-01`;
const many = (count: number): string => Array.from({ length: count }, (_, n) => `k${n}=v`).join(',');

describe('`traceparent` headers', () => {
  it.each([
    ['version 00', VALID, true],
    ['version 00 without the sampled flag', `00-${TRACE}-${SPAN}-00`, false],
    ['version 00 with unknown flags', `00-${TRACE}-${SPAN}-ff`, true],
    ['surrounding white space', `  ${VALID}\t`, true],
    ['a later version', `cc-${TRACE}-${SPAN}-01`, true],
    ['a later version with more fields', `cc-${TRACE}-${SPAN}-01-what-the-future-holds`, true],
  ])('a `traceparent` header with %s is accepted', (_case, header, isSampled) => {
    expect(receivedTrace(header, undefined)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled,
      state: null,
    });
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['has version ff', `ff-${TRACE}-${SPAN}-01`],
    ['has more fields in version 00', `${VALID}-extra`],
    ['ends in a hyphen', `${VALID}-`],
    ['has more fields without a hyphen', `cc-${TRACE}-${SPAN}-01.extra`],
    ['has a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['has a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['has upper-case digits', VALID.toUpperCase()],
    ['has a trace id that is too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['has a trace id that is too long', `00-${TRACE}0-${SPAN}-01`],
    ['has a parent id that is too short', `00-${TRACE}-${SPAN.slice(1)}-01`],
    ['has a parent id that is too long', `00-${TRACE}-${SPAN}0-01`],
    ['has flags that are too short', `00-${TRACE}-${SPAN}-1`],
    ['has flags that are not digits', `00-${TRACE}-${SPAN}-.0`],
    ['has a trace id with a dot', `00-.${TRACE.slice(1)}-${SPAN}-01`],
    ['lacks flags', `00-${TRACE}-${SPAN}`],
    ['is sent twice', `${VALID}, ${VALID}`],
    ['is too long', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`],
  ])('a `traceparent` header is ignored if it %s', (_case, header) => {
    expect(receivedTrace(header, 'a=1')).toBeNull();
  });
});

describe('`tracestate` headers', () => {
  it.each([
    ['one member', 'foo=1', 'foo=1'],
    ['white space and empty members', 'foo=1 \t,\t, bar=2 ,', 'foo=1,bar=2'],
    ['a tenant and a system', '0tenant@system=1', '0tenant@system=1'],
    ['every character of a key', 'a-*/_9=1', 'a-*/_9=1'],
    ['a value with spaces inside', 'foo= a b', 'foo= a b'],
    ['32 members', many(32), many(32)],
    ['a key of 256 characters', `${'z'.repeat(256)}=1`, `${'z'.repeat(256)}=1`],
    ['a value of 256 characters', `a=${'v'.repeat(256)}`, `a=${'v'.repeat(256)}`],
  ])('a `tracestate` header with %s is forwarded', (_case, header, expected) => {
    expect(parseTraceState(header)).toBe(expected);
  });

  it.each([
    ['has no member', ' , ,'],
    ['has 33 members', many(33)],
    ['has a member without a value', 'foo'],
    ['has an empty value', 'foo='],
    ['has an empty key', '=1'],
    ['has a key with upper-case letters', 'FOO=1'],
    ['has a space in a key', 'foo bar=1'],
    ['has a space before the equals sign', 'foo =1'],
    ['has an equals sign in a value', 'foo=bar=baz'],
    ['has a key of 257 characters', `${'z'.repeat(257)}=1`],
    ['has a value of 257 characters', `a=${'v'.repeat(257)}`],
    ['has a tenant of 242 characters', `${'t'.repeat(242)}@v=1`],
    ['has a system of 15 characters', `t@${'v'.repeat(15)}=1`],
    ['has a key twice', 'foo=1,foo=2'],
    ['has a character that is not ASCII', 'foo=ü'],
    ['has one invalid member among valid ones', 'foo=1,BAR=2,baz=3'],
  ])('a `tracestate` header is dropped if it %s', (_case, header) => {
    expect(parseTraceState(header)).toBeNull();
    expect(receivedTrace(VALID, header)).toMatchObject({ traceId: TRACE, state: null });
  });

  it('a `tracestate` header over 512 characters loses its long members first', () => {
    const long = `long=${'x'.repeat(200)}`;
    const short = (name: string): string => `${name}=${'y'.repeat(100)}`;
    const members = [short('a'), long, short('b'), short('c'), short('d')];
    expect(parseTraceState(members.join(','))).toBe(
      [short('a'), short('b'), short('c'), short('d')].join(','),
    );
  });

  it('a `tracestate` header over 512 characters loses its last members if all members are short', () => {
    const members = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}=${'y'.repeat(100)}`);
    expect(parseTraceState(members.join(','))).toBe(members.slice(0, 4).join(','));
  });

  it('several `tracestate` headers are joined to one list', () => {
    expect(receivedTrace(VALID, ['a=1', 'b=2'])?.state).toBe('a=1,b=2');
  });
});

it.each([null, 'a=1,b= x y'])(
  'a trace context with the tracestate %j is unchanged after it is stored and read',
  (state) => {
    const trace = { traceId: TRACE, spanId: SPAN, isSampled: true, state };
    expect(traceOfText(traceText(trace))).toEqual(trace);
  },
);

it('a `tracestate` header is sent only if the trace context has a state', () => {
  const trace = { traceId: TRACE, spanId: SPAN, isSampled: false, state: null };
  expect(traceHeaders(trace)).toEqual({ traceparent: `00-${TRACE}-${SPAN}-00` });
  expect(traceHeaders({ ...trace, state: 'a=1' })).toEqual({
    traceparent: `00-${TRACE}-${SPAN}-00`,
    tracestate: 'a=1',
  });
});
