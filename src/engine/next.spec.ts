import { describe, expect, it } from 'vitest';
import { planOf, EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { paused, queued } from '../../test/support/simulated-run.js';
import type { JournalEvent } from '../execution-events/index.js';
import { fold } from './fold.js';
import type { Json } from '../expressions/index.js';
import { withSecrets } from './evaluation.js';
import { type Decision, next, type RunOrder } from './next.js';
import type { Message, SignalAddress } from './message.js';
import type { Plan } from './plan.js';
import { type AttemptOutcome, recovered, settle, suspended } from './settle.js';
import type { ExecutionState } from './state.js';

const NOW = 10_000;
const TIMEOUT_AT = NOW + 300_000;
const BEGINNING = fold([queued({ amount: 7, secretName: 'token' }, 0)]);
const BOOM = { code: 'boom', message: 'Boom.', details: { try: 1 } };

function decide(
  plan: Plan,
  state: ExecutionState = BEGINNING,
  now = NOW,
  evaluation = EVALUATION_CONTEXT,
  inbox: readonly Message[] = [],
): Decision {
  return next(plan, state, now, evaluation, inbox);
}

function decisionFor(plan: Plan, state: ExecutionState, inbox: readonly Message[], now = NOW): Decision {
  return decide(plan, state, now, EVALUATION_CONTEXT, inbox);
}

function signal(name: string, payload: Json, to: SignalAddress | null = null): Message {
  return { id: `${name}-${JSON.stringify(payload)}`, kind: 'signal', name, payload, to };
}

function waitFor(name: string, until: number | null = null): AttemptOutcome {
  return { kind: 'suspend', wait: { for: 'signal', signal: name, until } };
}

/**
 * Computes one decision of the engine and appends its events. Ends the given attempts, and returns the resulting state.
 */
function after(
  plan: Plan,
  from: ExecutionState,
  outcomes: Readonly<Record<string, AttemptOutcome>>,
  now = NOW,
): ExecutionState {
  const { events, runs } = decide(plan, from, now);
  let state = fold(events, from);
  for (const run of runs) {
    const outcome = outcomes[run.node.id];
    if (outcome !== undefined) state = fold([settle(plan, state, run, outcome, now, 0)], state);
  }
  return state;
}

function done(output: Json): AttemptOutcome {
  return { kind: 'output', output, cached: false };
}

function failure(retryable = true): AttemptOutcome {
  return { kind: 'failure', retryable, error: BOOM };
}

function sleep(until: number | null): AttemptOutcome {
  return { kind: 'suspend', wait: { for: until === null ? 'signal' : 'timer', until } };
}

function typesOf(events: readonly JournalEvent[]): readonly string[] {
  return events.map(({ type, nodeId }) => (nodeId === null ? type : `${type} ${nodeId}`));
}

function filledIn(order: RunOrder | undefined, values: Readonly<Record<string, string>>): unknown {
  return order?.secrets && withSecrets(order.secrets, values);
}

function runsOf({ runs }: Decision): readonly string[] {
  return runs.map(({ node, attempt }) => `${node.id}#${attempt}`);
}

describe('the first decision', () => {
  it('the first decision starts the execution and every node without dependencies', () => {
    const plan = planOf([
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['a'] },
      { id: 'c', type: 'pure' },
    ]);
    const decision = decide(plan);
    expect(typesOf(decision.events)).toEqual([
      'workflow.started',
      'workflow.node.started a',
      'workflow.node.started c',
    ]);
    expect(decision.events[0]?.data).toEqual({
      status: 'running',
      workflow_version: 3,
      timeout_at: new Date(TIMEOUT_AT).toISOString(),
      progress: { completed: 0, total: 3 },
    });
    expect(runsOf(decision)).toEqual(['a#1', 'c#1']);
    expect(decision.wakeAt).toBe(TIMEOUT_AT);
  });

  it('the first decision completes an execution without nodes', () => {
    const { events, runs, wakeAt } = decide(planOf([]));
    expect(typesOf(events)).toEqual(['workflow.started', 'workflow.completed']);
    expect(events[1]?.data).toMatchObject({
      output: null,
      duration_ms: 0,
      progress: { completed: 0, total: 0 },
    });
    expect({ runs, wakeAt }).toEqual({ runs: [], wakeAt: null });
  });

  it('a decision starts nodes up to `max_concurrency`, and starts the next node when one ends', () => {
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, type: 'effect' }));
    const plan = planOf(nodes, { max_concurrency: 2 });
    expect(runsOf(decide(plan))).toEqual(['a#1', 'b#1']);
    const state = after(plan, BEGINNING, {});
    expect(decide(plan, state)).toEqual({
      events: [],
      state,
      runs: [],
      consumed: [],
      wakeAt: TIMEOUT_AT,
      inputSize: 0,
    });
    expect(runsOf(decide(plan, after(plan, BEGINNING, { b: done(1) })))).toEqual(['c#1']);
  });
});

describe('node inputs', () => {
  it('the input of a node is evaluated with the outputs of earlier nodes', () => {
    const plan = planOf([
      { id: 'a', type: 'effect' },
      {
        id: 'b',
        type: 'effect',
        with: {
          x: '{{ nodes.a.output.v + input.amount }}',
          s: '{{ nodes.a.status }} in {{ workflow.name }}',
        },
      },
    ]);
    const decision = decide(plan, after(plan, BEGINNING, { a: done({ v: 1 }) }));
    expect(decision.runs[0]?.input).toEqual({ x: 8, s: 'completed in Orders' });
    expect(decision.events[0]?.data).toMatchObject({ input: { x: 8, s: 'completed in Orders' } });
  });

  it('the recorded input of a node contains only the names of secrets, and the attempt gets the values', () => {
    const plan = planOf([
      { id: 'a', type: 'effect', with: { key: 'Bearer {{ secrets.TOKEN }}', for: '{{ input.amount }}' } },
    ]);
    const { events, runs } = decide(plan);
    const recorded = { key: 'Bearer [secret TOKEN]', for: 7 };
    expect(events[1]?.data).toMatchObject({ input: recorded });
    expect(runs[0]).toMatchObject({ input: recorded, secrets: { names: ['TOKEN'] } });
    expect(filledIn(runs[0], { TOKEN: 's3cret' })).toMatchObject({
      ok: true,
      value: { value: { key: 'Bearer s3cret', for: 7 } },
    });
  });

  it('the recorded input of a node is empty if the input cannot be evaluated without the values of secrets', () => {
    const plan = planOf([{ id: 'a', type: 'effect', with: { pin: '{{ int(secrets.PIN) + 1 }}' } }]);
    const { events, runs } = decide(plan);
    expect(events[1]?.data).toMatchObject({ input: {} });
    expect(filledIn(runs[0], { PIN: '1234' })).toMatchObject({ ok: true, value: { value: { pin: 1_235 } } });
    expect(filledIn(runs[0], { PIN: 'none' })).toMatchObject({
      ok: false,
      error: { code: 'expression_error' },
    });
  });

  it('a node fails without a retry if its input cannot be evaluated', () => {
    const plan = planOf([
      { id: 'a', type: 'effect', with: { x: '{{ input.missing }}' }, retry: { max_attempts: 3 } },
    ]);
    const { events, runs } = decide(plan);
    expect(typesOf(events)).toEqual(['workflow.started', 'workflow.node.failed a', 'workflow.failed']);
    expect(events[1]?.data).toMatchObject({ error: { code: 'expression_error' }, continued: false });
    expect(events[2]?.data).toMatchObject({
      error: { type: 'expression_error', node_id: 'a' },
      progress: { completed: 1, total: 1 },
    });
    expect(runs).toEqual([]);
  });

  it('a decision rethrows internal errors instead of recording them as expression errors', () => {
    const [node] = planOf([{ id: 'a', type: 'effect' }]).order;
    if (node === undefined) throw new Error('The plan is empty.');
    const render = (): never => {
      throw new TypeError('broken');
    };
    const broken = { ...planOf([]), order: [{ ...node, with: { ...node.with, render } }] };
    expect(() => decide(broken)).toThrow(TypeError);
  });
});

describe('node conditions', () => {
  it('a node is skipped if its condition is false, or if all nodes on which the node depends were skipped', () => {
    const plan = planOf([
      { id: 'a', type: 'effect', if: 'input.amount > 100' },
      { id: 'b', type: 'effect', needs: ['a'] },
      { id: 'c', type: 'effect' },
      { id: 'd', type: 'effect', needs: ['b', 'c'] },
    ]);
    const { events } = decide(plan);
    expect(typesOf(events)).toEqual([
      'workflow.started',
      'workflow.node.skipped a',
      'workflow.node.skipped b',
      'workflow.node.started c',
    ]);
    expect(events[1]?.data).toMatchObject({
      reason: 'condition_false',
      progress: { completed: 1, total: 4 },
    });
    expect(events[2]?.data).toMatchObject({ reason: 'needs_skipped', progress: { completed: 2, total: 4 } });
    expect(runsOf(decide(plan, after(plan, BEGINNING, { c: done(1) })))).toEqual(['d#1']);
  });

  it('a condition reads the output of a skipped node as null', () => {
    const plan = planOf([
      { id: 'a', type: 'effect', if: 'false' },
      { id: 'c', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['c'], if: 'nodes.a.output == null && nodes.a.status == "skipped"' },
    ]);
    expect(runsOf(decide(plan, after(plan, BEGINNING, { c: done(1) })))).toEqual(['b#1']);
  });

  it.each([
    ['input.missing > 1', 'In the condition of "a": '],
    [
      'input.amount',
      'The condition "input.amount" evaluated to 7. A condition must evaluate to true or false.',
    ],
    ['"x".replace("x", "y")', 'evaluated to "y"'],
  ])('a node fails if its condition does not evaluate to a boolean: %s', (condition, message) => {
    const plan = planOf([{ id: 'a', type: 'effect', if: condition, on_error: 'continue' }]);
    const { events } = decide(plan);
    expect(typesOf(events)).toEqual(['workflow.started', 'workflow.node.failed a', 'workflow.completed']);
    expect(events[1]).toMatchObject({
      attempt: 1,
      data: {
        error: { code: 'expression_error', message: expect.stringContaining(message) as string },
        continued: true,
      },
    });
  });

  it('the error of a failed condition omits long values', () => {
    const plan = planOf([{ id: 'a', type: 'effect', if: 'input.text' }]);
    const state = fold([queued({ text: 'x'.repeat(5_000) }, 0)]);
    expect(JSON.stringify(decide(plan, state).events).length).toBeLessThan(2_000);
  });

  it('a node that restarts after a crash does not evaluate its condition again', () => {
    const plan = planOf([{ id: 'a', type: 'effect', if: 'session.state.open' }]);
    const open = { ...EVALUATION_CONTEXT, session: { id: null, state: { open: true } } };
    const begun = fold(decide(plan, BEGINNING, NOW, open).events, BEGINNING);
    const state = fold([recovered(begun, NOW, 'crash')], begun);
    const closed = { ...EVALUATION_CONTEXT, session: { id: null, state: { open: false } } };
    expect(runsOf(decide(plan, state, NOW, closed))).toEqual(['a#1']);
  });
});

describe('retries and waits', () => {
  const plan = planOf(
    [
      {
        id: 'a',
        type: 'effect',
        retry: { max_attempts: 2, backoff: 'fixed', initial_delay_ms: 800, jitter: false },
      },
      { id: 'b', type: 'sleeper' },
    ],
    { max_concurrency: 2 },
  );
  const asleep = after(plan, BEGINNING, { a: failure(), b: sleep(NOW + 500) });

  it('a suspended execution wakes at the earliest retry, timer or timeout', () => {
    expect(decide(plan, asleep)).toEqual({
      events: [],
      state: asleep,
      runs: [],
      consumed: [],
      wakeAt: NOW + 500,
      inputSize: 0,
    });
    expect(decide(plan, after(plan, BEGINNING, { a: failure(), b: sleep(NOW + 900) })).wakeAt).toBe(
      NOW + 800,
    );
    expect(decide(plan, after(plan, BEGINNING, { b: sleep(TIMEOUT_AT + 1) })).wakeAt).toBe(TIMEOUT_AT);
  });

  it('a node resumes the same attempt after a wait, and starts the next attempt after a failure', () => {
    const woken = decide(plan, asleep, NOW + 800);
    expect(runsOf(woken)).toEqual(['a#2', 'b#1']);
    expect(woken.runs.map(({ resumption }) => resumption)).toEqual([null, { kind: 'timer', at: NOW + 800 }]);
    expect(woken.events.map(({ data }) => 'resumption' in data)).toEqual([false, true]);
  });

  it('an attempt that was resumed by a timer before a crash runs with the same resumption after the crash', () => {
    const woken = fold(decide(plan, asleep, NOW + 600).events, asleep);
    const state = fold([recovered(woken, NOW + 700, 'crash')], woken);
    const again = decide(plan, state, NOW + 700);
    expect(runsOf(again)).toEqual(['b#1']);
    expect(again.runs[0]?.resumption).toEqual({ kind: 'timer', at: NOW + 600 });
  });

  it('a decision that resumes nodes does not run more nodes than `max_concurrency` allows', () => {
    const narrow = { ...plan, config: { ...plan.config, max_concurrency: 1 } };
    const first = after(narrow, BEGINNING, { a: failure() });
    const both = after(narrow, first, { b: sleep(NOW) });
    expect(runsOf(decide(narrow, both, NOW + 800))).toEqual(['a#2']);
  });

  it('an execution whose node waits for a signal without a deadline wakes at the timeout of the execution', () => {
    const state = after(plan, BEGINNING, { a: done(1), b: sleep(null) });
    expect(decide(plan, state, NOW + 1)).toEqual({
      events: [],
      state,
      runs: [],
      consumed: [],
      wakeAt: TIMEOUT_AT,
      inputSize: 0,
    });
  });

  it('if the input of the second attempt cannot be evaluated, the failure is recorded for attempt 2', () => {
    const changing = planOf([
      {
        id: 'a',
        type: 'effect',
        with: { x: '{{ session.state.x }}' },
        retry: { max_attempts: 2, initial_delay_ms: 0 },
      },
    ]);
    const before = { ...EVALUATION_CONTEXT, session: { id: null, state: { x: 1 } } };
    const { events, runs } = decide(changing, BEGINNING, NOW, before);
    let state = fold(events, BEGINNING);
    for (const run of runs) state = fold([settle(changing, state, run, failure(), NOW, 0)], state);
    const [failed] = decide(changing, state).events;
    expect(failed).toMatchObject({ type: 'workflow.node.failed', attempt: 2 });
  });

  it('`workflow.resumed` is recorded once when a waiting execution continues', () => {
    const state = fold([suspended(asleep, NOW, NOW + 500)], asleep);
    expect(decide(plan, state).events).toEqual([]);
    expect(typesOf(decide(plan, state, NOW + 800).events)).toEqual([
      'workflow.resumed',
      'workflow.node.started a',
      'workflow.node.started b',
    ]);
  });

  it('if an execution was suspended after its last node had ended, it completes as soon as it resumes', () => {
    const single = planOf([{ id: 'a', type: 'effect' }]);
    const finished = after(single, BEGINNING, { a: done('x') });
    const handedOver = fold([suspended(finished, NOW, NOW)], finished);
    expect(typesOf(decide(single, handedOver).events)).toEqual(['workflow.resumed', 'workflow.completed']);
  });
});

describe('the end of an execution', () => {
  it('an execution fails as soon as one node has failed, and starts no further node', () => {
    const plan = planOf(
      [
        { id: 'first', type: 'effect' },
        { id: 'a', type: 'effect' },
        { id: 'z', type: 'effect' },
      ],
      {
        max_concurrency: 2,
      },
    );
    const state = after(plan, BEGINNING, { a: failure(false) });
    const { events, runs, wakeAt } = decide(plan, state, NOW + 5);
    expect(typesOf(events)).toEqual(['workflow.failed']);
    expect(events[0]?.data).toEqual({
      status: 'failed',
      error: { type: 'boom', message: 'Boom.', node_id: 'a', details: { try: 1 } },
      duration_ms: 5,
      progress: { completed: 1, total: 3 },
    });
    expect(JSON.stringify(events)).toContain('{"type":"boom","message":"Boom.","node_id":"a","details":');
    expect({ runs, wakeAt }).toEqual({ runs: [], wakeAt: null });
  });

  it('a decision that fails the execution records no start events of other nodes', () => {
    const plan = planOf([
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', if: 'false' },
      { id: 'c', type: 'effect', with: { x: '{{ input.missing }}' } },
    ]);
    expect(typesOf(decide(plan).events)).toEqual([
      'workflow.started',
      'workflow.node.skipped b',
      'workflow.node.failed c',
      'workflow.failed',
    ]);
  });

  it('if only one node has no dependents, the output of this node is the output of the execution', () => {
    const plan = planOf([
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['a'] },
    ]);
    const state = after(plan, after(plan, BEGINNING, { a: done(1) }), { b: done([2]) });
    const { events } = decide(plan, state, NOW + 3);
    expect(events).toEqual([
      {
        type: 'workflow.completed',
        at: NOW + 3,
        nodeId: null,
        attempt: null,
        data: { status: 'completed', output: [2], duration_ms: 3, progress: { completed: 2, total: 2 } },
      },
    ]);
  });

  it('if several nodes have no dependents, the output maps their ids to outputs, with null for skipped and failed nodes', () => {
    const plan = planOf([
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', if: 'false' },
      { id: 'c', type: 'effect', on_error: 'continue' },
    ]);
    const state = after(plan, BEGINNING, { a: done(1), c: failure(false) });
    expect(decide(plan, state).events[0]?.data).toMatchObject({
      status: 'completed',
      output: { a: 1, b: null, c: null },
    });
  });

  it('an execution has the output that its workflow defines', () => {
    const nodes = [{ id: 'a', type: 'effect', on_error: 'continue' as const }];
    const plan = planOf(nodes, {}, { why: '{{ nodes.a.error.code }}', of: '{{ input.amount }}' });
    const state = after(plan, BEGINNING, { a: failure(false) });
    expect(decide(plan, state).events[0]?.data).toMatchObject({ output: { why: 'boom', of: 7 } });
  });

  it('an execution fails without a node id if the output of its workflow cannot be evaluated', () => {
    const plan = planOf([{ id: 'a', type: 'effect' }], {}, '{{ nodes.a.output.missing }}');
    const { events } = decide(plan, after(plan, BEGINNING, { a: done({}) }));
    expect(events[0]).toMatchObject({
      type: 'workflow.failed',
      data: { status: 'failed', error: { type: 'expression_error', node_id: null } },
    });
  });

  it('an execution times out even if it is paused and its attempts still run', () => {
    const plan = planOf([{ id: 'a', type: 'effect' }]);
    const state = after(plan, BEGINNING, {});
    expect(decide(plan, state, TIMEOUT_AT - 1).events).toEqual([]);
    const { events, runs, wakeAt } = decide(plan, fold([paused(NOW)], state), TIMEOUT_AT);
    expect(events).toMatchObject([
      {
        type: 'workflow.failed',
        data: {
          status: 'timed_out',
          error: { type: 'execution_timeout', node_id: null },
          duration_ms: 300_000,
          progress: { completed: 0, total: 1 },
        },
      },
    ]);
    expect({ runs, wakeAt }).toEqual({ runs: [], wakeAt: null });
  });

  it('a decision changes nothing after the execution has ended', () => {
    const plan = planOf([]);
    const ended = fold(decide(plan).events, BEGINNING);
    expect(decide(plan, ended, TIMEOUT_AT + 1)).toEqual({
      events: [],
      state: ended,
      runs: [],
      consumed: [],
      wakeAt: null,
      inputSize: 0,
    });
  });
});

describe('pauses', () => {
  it('a paused execution starts nothing and requests a wake-up at its timeout', () => {
    const plan = planOf([
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['a'] },
    ]);
    const state = fold([paused(NOW)], after(plan, BEGINNING, { a: done(1) }));
    expect(decide(plan, state)).toEqual({
      events: [],
      state,
      runs: [],
      consumed: [],
      wakeAt: TIMEOUT_AT,
      inputSize: 0,
    });
  });
});

describe('pause and resume requests', () => {
  const plan = planOf([{ id: 'a', type: 'effect' }]);
  const pause: Message = { id: 'p', kind: 'pause', reason: 'Lunch.' };
  const resume: Message = { id: 'r', kind: 'resume' };
  const begun = after(plan, BEGINNING, {});

  it('a decision that handles a pause request records only the pause and starts no node', () => {
    const decision = decisionFor(plan, begun, [pause]);
    expect(decision).toMatchObject({
      events: [{ type: 'workflow.paused', data: { status: 'paused', reason: 'Lunch.' } }],
      runs: [],
      consumed: [{ id: 'p', sequence: begun.sequence + 1 }],
      wakeAt: TIMEOUT_AT,
    });
    const still = fold(decision.events, begun);
    expect(decisionFor(plan, still, [resume])).toMatchObject({
      events: [{ type: 'workflow.resumed', data: { status: 'running', reason: 'request' } }],
      consumed: [{ id: 'r', sequence: still.sequence + 1 }],
    });
  });

  it('a request to resume an execution that is not paused is removed from the inbox without an event', () => {
    expect(decisionFor(plan, begun, [resume])).toMatchObject({
      events: [],
      consumed: [{ id: 'r', sequence: begun.sequence }],
    });
  });

  it('a pause does not change the scheduled start of an execution', () => {
    const scheduled = fold([queued({}, 0, NOW + 60_000)]);
    expect(decisionFor(plan, scheduled, [])).toEqual({
      events: [],
      state: scheduled,
      runs: [],
      consumed: [],
      wakeAt: NOW + 60_000,
      inputSize: 0,
    });
    const held = decisionFor(plan, scheduled, [pause]);
    expect(held).toMatchObject({ events: [{ type: 'workflow.paused' }], wakeAt: null });
    const back = decisionFor(plan, fold(held.events, scheduled), [resume]);
    expect(back).toMatchObject({ events: [{ data: { status: 'queued' } }], wakeAt: NOW + 60_000 });
    const again = fold([...held.events, ...back.events], scheduled);
    expect(again.status).toBe('queued');
    expect(typesOf(decisionFor(plan, again, [], NOW + 60_000).events)).toEqual([
      'workflow.started',
      'workflow.node.started a',
    ]);
  });
});

describe('signals', () => {
  const plan = planOf(
    [
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect' },
    ],
    { max_concurrency: 2 },
  );
  const both = after(plan, BEGINNING, { a: waitFor('go'), b: waitFor('go', NOW + 1_000) });

  it('signals wake the waits for their name in order: the first signal wakes the first wait', () => {
    const asleep = fold([suspended(both, NOW, null)], both);
    const { events, consumed, runs } = decisionFor(plan, asleep, [
      signal('other', 0),
      signal('go', 1),
      signal('go', 2),
    ]);
    expect(events).toMatchObject([
      { type: 'workflow.resumed', data: { reason: 'signal' } },
      { nodeId: 'a', attempt: 1, data: { resumption: { kind: 'signal', name: 'go', payload: 1 } } },
      { nodeId: 'b', attempt: 1, data: { resumption: { kind: 'signal', name: 'go', payload: 2 } } },
    ]);
    expect(runs.map(({ resumption }) => resumption)).toMatchObject([{ payload: 1 }, { payload: 2 }]);
    expect(consumed).toEqual([
      { id: 'go-1', sequence: asleep.sequence + 2 },
      { id: 'go-2', sequence: asleep.sequence + 3 },
    ]);
  });

  it('a signal in the inbox wakes a wait for this signal even if the timeout of the wait is due', () => {
    const { events } = decisionFor(plan, both, [signal('go', 1), signal('go', 2)], NOW + 2_000);
    expect(events).toMatchObject([{ nodeId: 'a' }, { data: { resumption: { kind: 'signal' } } }]);
    const late = decisionFor(plan, both, [signal('go', 1)], NOW + 2_000);
    expect(late.events[1]).toMatchObject({ nodeId: 'b', data: { resumption: { kind: 'timer' } } });
  });

  it('a signal that is addressed to one wait wakes no other wait', () => {
    const forB = signal('go', 'b', { nodeId: 'b', attempt: 1 });
    expect(decisionFor(plan, both, [forB]).events).toMatchObject([{ nodeId: 'b' }]);
    for (const to of [
      { nodeId: 'b', attempt: 2 },
      { nodeId: 'c', attempt: 1 },
    ])
      expect(decisionFor(plan, both, [signal('go', 0, to)])).toMatchObject({ events: [], consumed: [] });
  });

  it('a signal stays in the inbox while the number of running nodes equals `max_concurrency`', () => {
    const narrow = planOf(
      [
        { id: 'a', type: 'effect' },
        { id: 'b', type: 'effect' },
      ],
      { max_concurrency: 1 },
    );
    const state = after(narrow, after(narrow, BEGINNING, { a: waitFor('go') }), {});
    expect(state.running).toBe(1);
    expect(decisionFor(narrow, state, [signal('go', 1)])).toMatchObject({ events: [], consumed: [] });
  });

  it('a signal stays in the inbox if the input of the waiting node cannot be evaluated and the execution fails', () => {
    const reads = planOf([{ id: 'a', type: 'effect', with: { v: '{{ workflow.version }}' } }]);
    const state = after(reads, BEGINNING, { a: waitFor('go') });
    const none = { ...EVALUATION_CONTEXT, workflow: {} };
    const { events, consumed } = decide(reads, state, NOW, none, [signal('go', 1)]);
    expect(typesOf(events)).toEqual(['workflow.node.failed a', 'workflow.failed']);
    expect(consumed).toEqual([]);
  });

  it('the end of child c1 resumes a node that waits for child c1, but not a node that waits for a signal named c1', () => {
    const state = after(plan, BEGINNING, { a: { kind: 'child', executionId: 'c1' }, b: waitFor('c1') });
    const end = { status: 'completed', output: 7, error: null } as const;
    const child = (id: string): Message => ({ id: `of-${id}`, kind: 'child', end: { id, ...end } });
    expect(decisionFor(plan, state, [child('c2')])).toMatchObject({ events: [], consumed: [] });
    const asleep = fold([suspended(state, NOW, null)], state);
    expect(decisionFor(plan, asleep, [child('c1'), signal('c1', 1)])).toMatchObject({
      events: [
        { data: { reason: 'child' } },
        { nodeId: 'a', data: { resumption: { kind: 'child', id: 'c1', output: 7, error: null } } },
        { nodeId: 'b', data: { resumption: { kind: 'signal' } } },
      ],
    });
  });
});

describe('active time', () => {
  const ACTIVE = { timeout_counts: 'active', timeout_seconds: 10 } as const;
  const WEEK_MS = 604_800_000;
  const plan = planOf([{ id: 'a', type: 'effect' }], ACTIVE);

  /**
   * Returns the state of a suspended execution that waits until the given time, or for a signal if the time is null.
   */
  function asleep(of: Plan, until: number | null): ExecutionState {
    const outcome = until === null ? waitFor('go') : sleep(until);
    const waiting = after(of, BEGINNING, { a: outcome });
    return fold([suspended(waiting, NOW + 4_000, until)], waiting);
  }

  it('`workflow.started` contains `timeout_counts: active`, and the deadline if the workflow configures one', () => {
    const data = decide(plan).events[0]?.data;
    expect(data).toMatchObject({
      timeout_at: new Date(NOW + 10_000).toISOString(),
      timeout_counts: 'active',
    });
    expect(data).not.toHaveProperty('deadline_at');
    const limited = planOf([{ id: 'a', type: 'effect' }], { ...ACTIVE, deadline_seconds: 60 });
    expect(decide(limited).events[0]?.data).toMatchObject({
      deadline_at: new Date(NOW + 60_000).toISOString(),
    });
    expect(decide(limited).wakeAt).toBe(NOW + 60_000);
  });

  it('an execution without a running attempt is not woken at its limit of active time', () => {
    expect(decide(plan).wakeAt).toBeNull();
    expect(decide(plan, after(plan, BEGINNING, { a: sleep(NOW + WEEK_MS) })).wakeAt).toBe(NOW + WEEK_MS);
  });

  it('with `timeout_counts: active`, an execution times out when its active time reaches the timeout', () => {
    const running = after(plan, BEGINNING, {});
    expect(running.timeoutAt).toBe(NOW + 10_000);
    expect(decide(plan, running, NOW + 9_999).events).toEqual([]);
    expect(decide(plan, running, NOW + 10_000).events).toMatchObject([
      {
        type: 'workflow.failed',
        data: {
          status: 'timed_out',
          error: {
            type: 'execution_timeout',
            message: 'The execution was active for longer than its timeout of 10 seconds.',
          },
        },
      },
    ]);
  });

  it('active time does not include the time in which the execution is suspended', () => {
    const state = asleep(plan, null);
    expect(state.timeoutAt).toBeNull();
    expect(decide(plan, state, NOW + WEEK_MS)).toMatchObject({ events: [], wakeAt: null });
    const { events, state: woken } = decisionFor(plan, state, [signal('go', 1)], NOW + WEEK_MS);
    expect(typesOf(events)).toEqual(['workflow.resumed', 'workflow.node.started a']);
    expect(woken.timeoutAt).toBe(NOW + WEEK_MS + 6_000);
  });

  it('active time does not include the time in which the execution is paused', () => {
    const state = fold([paused(NOW + 4_000)], after(plan, BEGINNING, {}));
    expect(decide(plan, state, NOW + WEEK_MS)).toMatchObject({ events: [], wakeAt: null });
  });

  it('an execution times out at its deadline, even while its active time does not count', () => {
    const limited = planOf([{ id: 'a', type: 'effect' }], { ...ACTIVE, deadline_seconds: 60 });
    const state = asleep(limited, NOW + WEEK_MS);
    expect(decide(limited, state, NOW + 5_000).wakeAt).toBe(NOW + 60_000);
    expect(decide(limited, state, NOW + 60_000).events).toMatchObject([
      {
        type: 'workflow.failed',
        data: {
          status: 'timed_out',
          error: {
            type: 'deadline_exceeded',
            message: `The execution did not end before its deadline, ${new Date(NOW + 60_000).toISOString()}.`,
          },
          duration_ms: 60_000,
        },
      },
    ]);
    const beforeDeadline = after(limited, BEGINNING, {});
    expect(decide(limited, beforeDeadline, NOW + 60_000).events).toMatchObject([
      { data: { error: { type: 'execution_timeout' } } },
    ]);
  });
});

describe('reminders', () => {
  const plan = planOf([{ id: 'a', type: 'effect' }], { timeout_counts: 'active' });
  const HOUR_MS = 3_600_000;

  function waitingSince(from: Plan, until: number | null = null): ExecutionState {
    const wait = { for: 'signal', signal: 'go', until, remindEveryMs: HOUR_MS } as const;
    const waiting = after(from, BEGINNING, { a: { kind: 'suspend', wait } });
    return fold([suspended(waiting, NOW, null)], waiting);
  }
  function remindersOf(events: readonly JournalEvent[]): readonly (number | undefined)[] {
    return events.map((event) =>
      event.type === 'workflow.node.progress' ? event.data.reminder : Number.NaN,
    );
  }

  it('one reminder is recorded at the end of each reminder interval of a wait', () => {
    const state = waitingSince(plan);
    expect(decide(plan, state, NOW + HOUR_MS - 1)).toMatchObject({ events: [], wakeAt: NOW + HOUR_MS });
    const first = decide(plan, state, NOW + HOUR_MS);
    expect(first.events).toMatchObject([
      {
        type: 'workflow.node.progress',
        nodeId: 'a',
        attempt: 1,
        data: {
          status: 'waiting',
          fraction: 0,
          message: 'Reminder 1: still waiting for the signal "go".',
          reminder: 1,
        },
      },
    ]);
    expect(first.state.status).toBe('waiting');
    expect(first.wakeAt).toBe(NOW + 2 * HOUR_MS);
    expect(decide(plan, first.state, NOW + 2 * HOUR_MS - 1).events).toEqual([]);
    expect(remindersOf(decide(plan, first.state, NOW + 2 * HOUR_MS).events)).toEqual([2]);
  });

  it('a reminder is recorded for each due time that passed while no process ran', () => {
    const { events, wakeAt } = decide(plan, waitingSince(plan), NOW + 3.5 * HOUR_MS);
    expect(remindersOf(events)).toEqual([1, 2, 3]);
    expect(wakeAt).toBe(NOW + 4 * HOUR_MS);
  });

  it('one engine decision records at most 256 reminders, and the next decision continues with reminder 257', () => {
    const now = NOW + 1_000 * HOUR_MS;
    const { events, wakeAt, state } = decide(plan, waitingSince(plan), now);
    expect(events).toHaveLength(256);
    expect(wakeAt).toBe(now);
    expect(remindersOf(decide(plan, state, now).events)[0]).toBe(257);
  });

  it('reminders stop when the signal arrives or the wait ends', () => {
    const state = waitingSince(plan, NOW + 2 * HOUR_MS);
    const woken = decisionFor(plan, state, [signal('go', 1)], NOW + HOUR_MS);
    expect(typesOf(woken.events)).toEqual(['workflow.resumed', 'workflow.node.started a']);
    const late = decide(plan, state, NOW + 2 * HOUR_MS);
    expect(typesOf(late.events)).toEqual(['workflow.resumed', 'workflow.node.started a']);
  });

  it('reminders are not sent while the execution is paused', () => {
    const state = fold([paused(NOW)], waitingSince(plan));
    expect(decide(plan, state, NOW + HOUR_MS)).toMatchObject({ events: [], wakeAt: null });
  });

  it('a wait without a reminder interval has no reminders', () => {
    const waiting = after(plan, BEGINNING, { a: waitFor('go') });
    const asleep = fold([suspended(waiting, NOW, null)], waiting);
    expect(decide(plan, asleep, NOW + HOUR_MS).events).toEqual([]);
  });
});
