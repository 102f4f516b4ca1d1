import { describe, expect, it } from 'vitest';
import { recordedEvent } from '../../test/support/recorded-events.js';
import { executionSpanId } from '../trace-context/index.js';
import { ExecutionSpans } from './execution-spans.js';
import type { Span } from './span.js';

const ID = '019ab5a0-1111-7abc-8def-0123456789ab';
const SCOPE = { executionId: ID, projectId: 'p', workflowId: 'w', sessionId: null };
const DAY = 86_400_000;

const queued = (more: object = {}) =>
  recordedEvent('workflow.queued', 0, null, {
    workflow_version: 1,
    trigger: { type: 'api', id: null },
    attempt: 1,
    metadata: {},
    input: null,
    ...more,
  });
const QUEUED = queued();
const STARTED = recordedEvent('workflow.started', 5, null, {});
const ASKED = recordedEvent('workflow.node.started', 10, 'ask', { node_type: 'wait' });
const WAITS = recordedEvent('workflow.node.waiting', 12, 'ask', { node_type: 'wait' });
const SLEEPS = recordedEvent('workflow.waiting', 14, null, { status: 'waiting' });
const COMPLETED = recordedEvent('workflow.completed', DAY + 9, null, { status: 'completed' });

function spansOf(events: Parameters<ExecutionSpans['apply']>[0]): readonly Span[] {
  return new ExecutionSpans(SCOPE).apply(events);
}
function attributesOf(attributes: string): Readonly<Record<string, unknown>> {
  const parsed = JSON.parse(`[${attributes}]`) as readonly {
    readonly key: string;
    readonly value: object;
  }[];
  return Object.fromEntries(parsed.map(({ key, value }) => [key, Object.values(value)[0]]));
}
const short = (spans: readonly Span[]): readonly unknown[] =>
  spans.map(({ name, startedAt, endedAt, attributes }) => [
    name,
    startedAt,
    endedAt,
    attributesOf(attributes)['workflow_service.outcome'],
  ]);

describe('ExecutionSpans', () => {
  it('an execution has separate spans before and after a suspension', () => {
    const spans = spansOf([
      QUEUED,
      STARTED,
      ASKED,
      WAITS,
      SLEEPS,
      recordedEvent('workflow.resumed', DAY, null, { status: 'running' }),
      recordedEvent('workflow.node.started', DAY, 'ask', {
        node_type: 'wait',
        resumption: { kind: 'timer', at: DAY },
      }),
      recordedEvent('workflow.node.complete', DAY + 1, 'ask', { node_type: 'wait', cached: false }),
      COMPLETED,
    ]);
    expect(short(spans)).toEqual([
      ['wait ask', 10, 12, 'waiting'],
      ['execution', 0, 14, 'waiting'],
      ['wait ask', DAY, DAY + 1, 'completed'],
      ['execution resumed', DAY, DAY + 9, 'completed'],
    ]);
    expect(spans[0]?.parentSpanId).toBe(executionSpanId(ID));
    expect(spans[2]?.parentSpanId).toBe(executionSpanId(ID, 1));
    expect(spans[2]?.links).toEqual([{ traceId: spans[0]?.traceId, spanId: spans[0]?.spanId }]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
  });

  it('an execution that moves to another process has the same spans as in one process', () => {
    const events = [QUEUED, STARTED, ASKED, WAITS, SLEEPS, COMPLETED];
    const whole = spansOf(events);
    for (let cut = 0; cut <= events.length; cut += 1) {
      const first = new ExecutionSpans(SCOPE);
      const before = first.apply(events.slice(0, cut));
      const next = new ExecutionSpans(SCOPE);
      next.apply(events.slice(0, cut));
      expect([...before, ...next.apply(events.slice(cut))]).toEqual(whole);
    }
  });

  it('the span of a loop ends when the execution is suspended, and a new span begins when the execution resumes', () => {
    const spans = spansOf([
      QUEUED,
      STARTED,
      recordedEvent('workflow.node.started', 6, 'each', { node_type: 'foreach', iterations: 1 }),
      recordedEvent('workflow.node.started', 7, 'in', {
        node_type: 'wait',
        iteration: 0,
        iteration_of: 'each',
      }),
      recordedEvent('workflow.node.waiting', 8, 'in', {
        node_type: 'wait',
        iteration: 0,
        iteration_of: 'each',
      }),
      SLEEPS,
      recordedEvent('workflow.resumed', DAY, null, { status: 'running' }),
      recordedEvent('workflow.node.started', DAY, 'in', {
        node_type: 'wait',
        iteration: 0,
        iteration_of: 'each',
      }),
      recordedEvent('workflow.node.complete', DAY + 1, 'in', {
        node_type: 'wait',
        iteration: 0,
        iteration_of: 'each',
        cached: false,
      }),
      recordedEvent('workflow.node.complete', DAY + 2, 'each', { node_type: 'foreach', cached: false }),
      COMPLETED,
    ]);
    expect(short(spans)).toEqual([
      ['wait in', 7, 8, 'waiting'],
      ['foreach each', 6, 14, 'waiting'],
      ['execution', 0, 14, 'waiting'],
      ['wait in', DAY, DAY + 1, 'completed'],
      ['foreach each', DAY, DAY + 2, 'completed'],
      ['execution resumed', DAY, DAY + 9, 'completed'],
    ]);
    expect(spans[3]?.parentSpanId).toBe(spans[4]?.spanId);
    expect(spans.every(({ startedAt, endedAt }) => endedAt - startedAt < 100)).toBe(true);
  });

  it('the cancellation of a suspended execution has a span of its own', () => {
    const cancelled = recordedEvent('workflow.cancelled', DAY, null, { status: 'cancelled' });
    expect(short(spansOf([QUEUED, STARTED, ASKED, WAITS, SLEEPS, cancelled])).slice(2)).toEqual([
      ['execution resumed', DAY, DAY, 'cancelled'],
    ]);
  });

  it('an attempt that a crash interrupted has only one span', () => {
    const spans = spansOf([
      QUEUED,
      STARTED,
      ASKED,
      recordedEvent('workflow.recovered', 20, null, {}),
      recordedEvent('workflow.node.started', 21, 'ask', { node_type: 'wait' }),
      recordedEvent('workflow.node.complete', 22, 'ask', { node_type: 'wait', cached: true }),
      COMPLETED,
    ]);
    expect(short(spans)[0]).toEqual(['wait ask', 10, 22, 'completed']);
    expect(attributesOf(spans[0]?.attributes ?? '')['workflow_service.cached']).toBe(true);
    expect(spans[1]?.events).toEqual([{ name: 'recovered', at: 20 }]);
  });

  it('a node that fails without an attempt has a span with its error', () => {
    const spans = spansOf([
      QUEUED,
      STARTED,
      recordedEvent('workflow.node.failed', 8, 'a', {
        node_type: 'set',
        error: { code: 'expression_error' },
      }),
      recordedEvent('workflow.failed', 9, null, { status: 'failed', error: { type: 'expression_error' } }),
    ]);
    expect(spans.map(({ name, error }) => [name, error])).toEqual([
      ['set a', 'expression_error'],
      ['execution', 'expression_error'],
    ]);
  });

  it('when an execution is cancelled, the aborted spans inside a loop precede the aborted span of the loop', () => {
    const spans = spansOf([
      QUEUED,
      STARTED,
      recordedEvent('workflow.node.started', 6, 'each', { node_type: 'foreach', iterations: 1 }),
      recordedEvent('workflow.node.started', 7, 'in', {
        node_type: 'http',
        iteration: 0,
        iteration_of: 'each',
      }),
      recordedEvent('workflow.cancelled', 9, null, { status: 'cancelled' }),
    ]);
    expect(short(spans)).toEqual([
      ['http in', 7, 9, 'aborted'],
      ['foreach each', 6, 9, 'aborted'],
      ['execution', 0, 9, 'cancelled'],
    ]);
  });

  it('the first span of an execution begins at the scheduled time of the execution', () => {
    const scheduled = queued({ scheduled_for: new Date(DAY).toISOString() });
    const spans = spansOf([scheduled, recordedEvent('workflow.started', DAY + 3, null, {}), COMPLETED]);
    expect(short(spans)).toEqual([['execution', DAY, DAY + 9, 'completed']]);
    expect(attributesOf(spans[0]?.attributes ?? '')['workflow_service.queue_ms']).toBe(3);
  });

  it('the trace of a retry has no spans for nodes whose results the retry reuses', () => {
    const retry = queued({ retry_of: ID });
    const copied = recordedEvent('workflow.node.complete', 1, 'ask', { node_type: 'wait', cached: false });
    expect(short(spansOf([retry, copied, STARTED, COMPLETED]))).toEqual([
      ['execution', 0, DAY + 9, 'completed'],
    ]);
  });

  it('an execution has no spans if its journal lacks the event workflow.queued', () => {
    expect(spansOf([STARTED, ASKED, COMPLETED])).toEqual([]);
  });

  it('an event of an unknown type does not change the spans', () => {
    const newer = { ...ASKED, type: 'workflow.node.unheard', version: 1 };
    expect(short(spansOf([QUEUED, STARTED, newer, COMPLETED]))).toHaveLength(1);
  });
});
