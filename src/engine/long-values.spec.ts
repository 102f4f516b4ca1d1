import { describe, expect, it } from 'vitest';
import { planOf, EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { queued } from '../../test/support/simulated-run.js';
import { INLINE_LIMIT, LongValue, type RecordedValue, ValuesNotLoadedError } from '../long-values/index.js';
import { type JournalEvent } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';
import { MAX_OUTPUT } from '../node-contract/index.js';
import type { NodeDefinition } from './definition.js';
import { fold } from './fold.js';
import type { Message } from './message.js';
import { type Decision, next } from './next.js';
import type { Plan } from './plan.js';
import { reusedEvents } from './reuse.js';
import { type AttemptOutcome, executionTooLarge, recovered, settle } from './settle.js';
import { type ExecutionState, nodeState } from './state.js';

const NOW = 10_000;
const BEGINNING = fold([queued({ list: [1, 2] }, 0)]);
const LONG_TEXT = 'x'.repeat(INLINE_LIMIT);
const LONG_JSON = JSON.stringify(LONG_TEXT);
const STORED = LongValue.storedAt({ executionId: null, sequence: 3, field: 'output' }, LONG_JSON.length);

function done(output: RecordedValue): AttemptOutcome {
  return { kind: 'output', output, cached: false };
}

function decide(plan: Plan, state: ExecutionState, inbox: readonly Message[] = []): Decision {
  return next(plan, state, NOW, EVALUATION_CONTEXT, inbox);
}

/**
 * Computes one decision of the engine and appends its events. Ends all attempts that the decision starts, and returns
 * the resulting state.
 */
function after(
  plan: Plan,
  from: ExecutionState,
  outcomeOf: (id: string, index: number) => AttemptOutcome,
): ExecutionState {
  const { events, runs } = decide(plan, from);
  let state = fold(events, from);
  for (const run of runs) {
    const outcome = outcomeOf(run.node.id, run.iteration?.index ?? 0);
    state = fold([settle(plan, state, run, outcome, NOW, 0)], state);
  }
  return state;
}

function loop(nodes: readonly NodeDefinition[], items: Json = '{{ input.list }}', more: object = {}): Plan {
  const parameters = { items, nodes: nodes as unknown as Json, ...more };
  return planOf([{ id: 'each', type: 'loop', with: parameters }]);
}

function dataOf(events: readonly JournalEvent[], type: JournalEvent['type']): unknown {
  return events.find((event) => event.type === type)?.data;
}

describe('long outputs', () => {
  const plan = planOf([
    { id: 'a', type: 'effect' },
    { id: 'b', type: 'effect', with: { size: '{{ nodes.a.output.size() }}' } },
  ]);

  it('a long value is read only if an expression needs it', () => {
    const state = after(plan, BEGINNING, () => done(LongValue.ofText(LONG_JSON)));
    expect(decide(plan, state).runs).toMatchObject([{ node: { id: 'b' }, input: { size: INLINE_LIMIT } }]);
  });

  it('a decision throws `ValuesNotLoadedError` if it needs a long value that is only in storage', () => {
    const state = after(plan, BEGINNING, () => done(STORED));
    expect(() => decide(plan, state)).toThrow(ValuesNotLoadedError);
  });

  it('a long value is not loaded for a decision that does not need its content', () => {
    const other = planOf([
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['a'] },
    ]);
    const state = after(other, BEGINNING, () => done(STORED));
    expect(decide(other, state).runs).toMatchObject([{ node: { id: 'b' } }]);
  });

  it('a long output of a workflow is recorded as JSON text', () => {
    const made = planOf([{ id: 'a', type: 'effect' }], {}, { all: '{{ nodes.a.output }}' });
    const state = after(made, BEGINNING, () => done(LONG_TEXT));
    const { output } = dataOf(decide(made, state).events, 'workflow.completed') as { output: LongValue };
    expect(output.text).toBe(JSON.stringify({ all: LONG_TEXT }));
  });
});

describe('decisions with large inputs', () => {
  it('a decision with many large node inputs starts only some of the nodes, and requests the next decision immediately', () => {
    const text = 'y'.repeat(1_000_000);
    const nodes = Array.from({ length: 20 }, (_, n) => ({ id: `n${n}`, type: 'effect', with: { text } }));
    const plan = planOf(nodes, { max_concurrency: 20 });
    const first = decide(plan, BEGINNING);
    expect(first.runs.length).toBeGreaterThan(0);
    expect(first.runs.length).toBeLessThan(20);
    expect(first.wakeAt).toBe(NOW);
    const rest = decide(plan, fold(first.events, BEGINNING));
    expect(rest.runs[0]?.node.id).toBe(`n${first.runs.length}`);
  });
});

describe('loops with long outputs', () => {
  it('a loop records a long list of results as JSON text', () => {
    const plan = loop([{ id: 'call', type: 'effect' }]);
    const state = after(plan, BEGINNING, () => done('z'.repeat(INLINE_LIMIT / 2)));
    const { output } = dataOf(decide(plan, state).events, 'workflow.node.complete') as { output: LongValue };
    expect(JSON.parse(output.text ?? '')).toEqual(['z', 'z'].map((text) => text.repeat(INLINE_LIMIT / 2)));
  });

  it('the output of a loop contains the long outputs of the last nodes of its items', () => {
    const plan = loop([{ id: 'call', type: 'effect' }]);
    const state = after(plan, BEGINNING, () => done(LongValue.ofText(LONG_JSON)));
    const { output } = dataOf(decide(plan, state).events, 'workflow.node.complete') as { output: LongValue };
    expect(JSON.parse(output.text ?? '')).toEqual([LONG_TEXT, LONG_TEXT]);
  });

  it('if several nodes in a loop have no dependents, the result of each item maps the ids of these nodes to their outputs', () => {
    const plan = loop([
      { id: 'left', type: 'effect' },
      { id: 'right', type: 'effect' },
    ]);
    const state = after(plan, BEGINNING, (id, index) => done(`${id} ${index}`));
    expect(dataOf(decide(plan, state).events, 'workflow.node.complete')).toMatchObject({
      output: [
        { left: 'left 0', right: 'right 0' },
        { left: 'left 1', right: 'right 1' },
      ],
    });
  });
});

describe('nodes that wait for a child', () => {
  const plan = planOf([{ id: 'a', type: 'sleeper' }]);
  const ended = (output: RecordedValue): Message => ({
    id: 'm',
    kind: 'child',
    end: { id: 'c1', status: 'completed', output, error: null },
  });
  const waiting = after(plan, BEGINNING, () => ({ kind: 'child', executionId: 'c1' }));

  it('a waiting node resumes with the long output of its child', () => {
    const { runs } = decide(plan, waiting, [ended(LongValue.ofText(LONG_JSON))]);
    expect(runs).toMatchObject([{ resumption: { kind: 'child', output: LONG_TEXT } }]);
  });

  it('a waiting node fails if the output of its child exceeds the maximum output size', () => {
    const { runs, events } = decide(plan, waiting, [
      ended(LongValue.storedAt({ executionId: 'c1', sequence: 9, field: 'output' }, MAX_OUTPUT + 1)),
    ]);
    expect(runs).toEqual([]);
    expect(dataOf(events, 'workflow.node.failed')).toMatchObject({ error: { code: 'output_too_large' } });
  });
});

describe('nodes resumed with a long payload', () => {
  const plan = planOf([{ id: 'a', type: 'sleeper' }]);
  const payload = { kind: 'signal', name: 'go', payload: LONG_TEXT } as const;

  it('after a crash, an attempt resumes with its long signal payload once the payload is loaded from storage', () => {
    const { events } = decide(plan, BEGINNING);
    const journal = events.map((event) =>
      event.type === 'workflow.node.started'
        ? ({ ...event, data: { ...event.data, resumption_truncated: true } } as unknown as JournalEvent)
        : event,
    );
    const running = fold(journal, BEGINNING);
    const lost = fold([recovered(running, NOW, 'crash')], running);
    expect(() => decide(plan, lost)).toThrow(ValuesNotLoadedError);
    const loaded = next(plan, lost, NOW, { ...EVALUATION_CONTEXT, read: () => payload }, []);
    expect(loaded.runs).toMatchObject([{ resumption: payload }]);
  });
});

describe('waits with approver rules', () => {
  it('a wait with approver rules consumes only a signal that is addressed to the attempt that waits', () => {
    const plan = planOf([{ id: 'a', type: 'sleeper' }]);
    const approval = { title: 'Ship it?', approvers: { signed_in: true } } as const;
    const wait = { for: 'signal', signal: 'approve', until: null, approval } as const;
    const state = after(plan, BEGINNING, () => ({ kind: 'suspend', wait }));
    const signal = { id: 's', kind: 'signal', name: 'approve', payload: 1 } as const;
    expect(decide(plan, state, [{ ...signal, to: null }]).consumed).toEqual([]);
    expect(decide(plan, state, [{ ...signal, to: { nodeId: 'a', attempt: 1 } }]).consumed).toHaveLength(1);
  });
});

describe('retries with long values', () => {
  it('a retry refers to long values in the journal of the original execution', () => {
    const plan = planOf([{ id: 'a', type: 'effect' }]);
    const { events, runs } = decide(plan, BEGINNING);
    const started = events.find(({ type }) => type === 'workflow.node.started');
    const [run] = runs;
    if (started === undefined || run === undefined) throw new Error('Nothing began.');
    const settled = settle(plan, fold(events, BEGINNING), run, done(1), NOW, 0);
    const { output: _, ...data } = settled.data as { readonly output: Json };
    const truncated = { ...settled, data: { ...data, output_truncated: true, output_bytes: 20_000 } };
    const journal = [queued({}, 0), started, truncated as unknown as JournalEvent];
    const reused = reusedEvents({
      events: journal,
      executionId: 'source',
      plan,
      isSame: () => true,
      reset: [],
      now: NOW,
    });
    expect(nodeState(fold(reused, BEGINNING), 'a').output).toEqual(
      LongValue.storedAt({ executionId: 'source', sequence: 3, field: 'output' }, 20_000),
    );
  });
});

describe('storage limit', () => {
  it('the error `execution_too_large` contains the stored bytes of the execution and the storage limit', () => {
    const plan = planOf([{ id: 'a', type: 'effect' }]);
    expect(executionTooLarge(plan, BEGINNING, NOW, { bytes: 11, limit: 10 })).toMatchObject({
      type: 'workflow.failed',
      data: { status: 'failed', error: { type: 'execution_too_large', details: { bytes: 11, limit: 10 } } },
    });
  });
});
