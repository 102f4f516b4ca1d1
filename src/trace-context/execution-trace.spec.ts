import { describe, expect, it } from 'vitest';
import {
  attemptSpanId,
  attemptTrace,
  executionSpanId,
  executionTrace,
  executionTraceHeaders,
  traceIdOf,
} from './execution-trace.js';

const ID = '019ab5a0-1111-7abc-8def-0123456789ab';
const OTHER = '019ab5a0-1111-7abc-8def-0123456789ac';
const CALLER = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  isSampled: false,
  state: 'a=1',
};

describe('executionTrace', () => {
  it('an execution that starts a trace has its own id as trace id', () => {
    expect(traceIdOf({ id: ID, trace: null })).toBe('019ab5a011117abc8def0123456789ab');
  });

  it("an execution continues the caller's trace with the caller's trace state and sampling flag", () => {
    const execution = { id: ID, trace: CALLER };
    expect(traceIdOf(execution)).toBe(CALLER.traceId);
    expect(executionTrace(execution)).toEqual({ ...CALLER, spanId: executionSpanId(ID) });
  });

  it('the `traceparent` header of an execution without a trace from the caller has the flag `sampled`', () => {
    expect(executionTraceHeaders({ id: ID, trace: null })).toEqual({
      traceparent: `00-019ab5a011117abc8def0123456789ab-${executionSpanId(ID)}-01`,
    });
  });
});

describe('executionSpanId and attemptSpanId', () => {
  const first = { nodeId: 'a', iteration: null, attempt: 1 };

  it('an attempt always gets the same span id', () => {
    expect(executionSpanId(ID)).toMatch(/^[0-9a-f]{16}$/);
    expect(attemptSpanId(ID, first)).toBe(attemptSpanId(ID, { ...first }));
    expect(attemptTrace({ id: ID, trace: null }, first).spanId).toBe(attemptSpanId(ID, first));
  });

  it('executions, nodes, loop items, attempts, and the parts of an attempt between suspensions have different span ids', () => {
    const ids = [
      executionSpanId(ID),
      executionSpanId(ID, 1),
      executionSpanId(OTHER),
      attemptSpanId(ID, first),
      attemptSpanId(ID, first, 1),
      attemptSpanId(OTHER, first),
      attemptSpanId(ID, { ...first, nodeId: 'b' }),
      attemptSpanId(ID, { ...first, iteration: 0 }),
      attemptSpanId(ID, { ...first, iteration: 1 }),
      attemptSpanId(ID, { ...first, attempt: 2 }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('100,000 similar attempts have different span ids', () => {
    const ids = new Set<string>();
    for (let n = 100; n < 200; n += 1)
      for (let iteration = 0; iteration < 1_000; iteration += 1)
        ids.add(attemptSpanId(`${ID.slice(0, -3)}${n}`, { nodeId: 'a', iteration, attempt: 1 }));
    expect(ids.size).toBe(100_000);
  });
});
