import { expect, it } from 'vitest';
import { type Awaited, type Message, resumptionBy } from './message.js';

const AWAITS: Awaited = { kind: 'signal', name: 'go' };
const SIGNAL: Message = { id: 'message-1', kind: 'signal', name: 'go', payload: 1, to: null };

it("a resumption by a signal contains the `traceparent` of the signal's sender", () => {
  expect(resumptionBy(SIGNAL, AWAITS, 'a', 1)).toEqual({ kind: 'signal', name: 'go', payload: 1 });
  expect(resumptionBy({ ...SIGNAL, traceparent: '00-a-b-01' }, AWAITS, 'a', 1)).toEqual({
    kind: 'signal',
    name: 'go',
    payload: 1,
    traceparent: '00-a-b-01',
  });
});
