import { describe, expect, it } from 'vitest';
import { planOf, SURROUNDINGS } from '../../test/support/engine-plans.js';
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
  surroundings = SURROUNDINGS,
  inbox: readonly Message[] = [],
): Decision {
  return next(plan, state, now, surroundings, inbox);
}

/** The decision for messages in the inbox. */
function told(plan: Plan, state: ExecutionState, inbox: readonly Message[], now = NOW): Decision {
  return decide(plan, state, now, SURROUNDINGS, inbox);
}

function signal(name: string, payload: Json, to: SignalAddress | null = null): Message {
  return { id: `${name}-${JSON.stringify(payload)}`, kind: 'signal', name, payload, to };
}

function waitFor(name: string, until: number | null = null): AttemptOutcome {
  return { kind: 'suspend', wait: { for: 'signal', signal: name, until } };
}

/** The state after a decision is recorded and the given attempts are settled. */
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
  it('starts the execution and every node without needs', () => {
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

  it('completes an execution without nodes at once', () => {
    const { events, runs, wakeAt } = decide(planOf([]));
    expect(typesOf(events)).toEqual(['workflow.started', 'workflow.completed']);
    expect(events[1]?.data).toMatchObject({
      output: null,
      duration_ms: 0,
      progress: { completed: 0, total: 0 },
    });
    expect({ runs, wakeAt }).toEqual({ runs: [], wakeAt: null });
  });

  it('starts at most max_concurrency nodes, and the next one when one ends', () => {
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

describe('the input of a node', () => {
  it('is its parameters rendered with the outputs of earlier nodes', () => {
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

  it('is recorded with the names of secrets, and the attempt fills in their values', () => {
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

  it('is recorded as empty if its template cannot be rendered with the names of secrets', () => {
    const plan = planOf([{ id: 'a', type: 'effect', with: { pin: '{{ int(secrets.PIN) + 1 }}' } }]);
    const { events, runs } = decide(plan);
    expect(events[1]?.data).toMatchObject({ input: {} });
    expect(filledIn(runs[0], { PIN: '1234' })).toMatchObject({ ok: true, value: { value: { pin: 1_235 } } });
    expect(filledIn(runs[0], { PIN: 'none' })).toMatchObject({
      ok: false,
      error: { code: 'expression_error' },
    });
  });

  it('fails the node without a retry if it cannot be rendered', () => {
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

  it('lets internal errors through instead of recording them as expression errors', () => {
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
  it('skip a node if false, and nodes whose needs are all skipped', () => {
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

  it('read the output of a skipped node as null', () => {
    const plan = planOf([
      { id: 'a', type: 'effect', if: 'false' },
      { id: 'c', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['c'], if: 'nodes.a.output == null && nodes.a.status == "skipped"' },
    ]);
    expect(runsOf(decide(plan, after(plan, BEGINNING, { c: done(1) })))).toEqual(['b#1']);
  });

  it.each([
    ['input.missing > 1', 'In the condition of "a": '],
    ['input.amount', 'The condition "input.amount" gave 7; a condition gives true or false.'],
    ['"x".replace("x", "y")', 'gave "y"'],
  ])('fail the node if they do not evaluate to a boolean: %s', (condition, message) => {
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

  it('keep long values out of the error message', () => {
    const plan = planOf([{ id: 'a', type: 'effect', if: 'input.text' }]);
    const state = fold([queued({ text: 'x'.repeat(5_000) }, 0)]);
    expect(JSON.stringify(decide(plan, state).events).length).toBeLessThan(2_000);
  });

  it('are evaluated once: an interrupted node restarts without another evaluation', () => {
    const plan = planOf([{ id: 'a', type: 'effect', if: 'session.state.open' }]);
    const open = { ...SURROUNDINGS, session: { id: null, state: { open: true } } };
    const begun = fold(decide(plan, BEGINNING, NOW, open).events, BEGINNING);
    const state = fold([recovered(begun, NOW, 'crash')], begun);
    const closed = { ...SURROUNDINGS, session: { id: null, state: { open: false } } };
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

  it('wake the execution at the earliest retry, timer or timeout', () => {
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

  it('resume the same attempt after a wait, and order the next attempt after a failure', () => {
    const woken = decide(plan, asleep, NOW + 800);
    expect(runsOf(woken)).toEqual(['a#2', 'b#1']);
    expect(woken.runs.map(({ resumption }) => resumption)).toEqual([null, { kind: 'timer', at: NOW + 800 }]);
    expect(woken.events.map(({ data }) => 'resumption' in data)).toEqual([false, true]);
  });

  it('pass the same resumption to an attempt that is repeated after a crash', () => {
    const woken = fold(decide(plan, asleep, NOW + 600).events, asleep);
    const state = fold([recovered(woken, NOW + 700, 'crash')], woken);
    const again = decide(plan, state, NOW + 700);
    expect(runsOf(again)).toEqual(['b#1']);
    expect(again.runs[0]?.resumption).toEqual({ kind: 'timer', at: NOW + 600 });
  });

  it('do not start above max_concurrency', () => {
    const narrow = { ...plan, config: { ...plan.config, max_concurrency: 1 } };
    const first = after(narrow, BEGINNING, { a: failure() });
    const both = after(narrow, first, { b: sleep(NOW) });
    expect(runsOf(decide(narrow, both, NOW + 800))).toEqual(['a#2']);
  });

  it('wake the execution at its timeout if a node waits for a signal without a deadline', () => {
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

  it('record the number of the later attempt if its parameters cannot be rendered', () => {
    const changing = planOf([
      {
        id: 'a',
        type: 'effect',
        with: { x: '{{ session.state.x }}' },
        retry: { max_attempts: 2, initial_delay_ms: 0 },
      },
    ]);
    const before = { ...SURROUNDINGS, session: { id: null, state: { x: 1 } } };
    const { events, runs } = decide(changing, BEGINNING, NOW, before);
    let state = fold(events, BEGINNING);
    for (const run of runs) state = fold([settle(changing, state, run, failure(), NOW, 0)], state);
    const [failed] = decide(changing, state).events;
    expect(failed).toMatchObject({ type: 'workflow.node.failed', attempt: 2 });
  });

  it('record workflow.resumed once, and only if a waiting execution continues', () => {
    const state = fold([suspended(asleep, NOW, NOW + 500)], asleep);
    expect(decide(plan, state).events).toEqual([]);
    expect(typesOf(decide(plan, state, NOW + 800).events)).toEqual([
      'workflow.resumed',
      'workflow.node.started a',
      'workflow.node.started b',
    ]);
  });

  it('complete an execution that was handed over after its last node', () => {
    const single = planOf([{ id: 'a', type: 'effect' }]);
    const finished = after(single, BEGINNING, { a: done('x') });
    const handedOver = fold([suspended(finished, NOW, NOW)], finished);
    expect(typesOf(decide(single, handedOver).events)).toEqual(['workflow.resumed', 'workflow.completed']);
  });
});

describe('the last decision of an execution', () => {
  it('fails the execution as soon as one node has failed, and starts no further node', () => {
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

  it('records no node start that the same decision discards by ending the execution', () => {
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

  it('returns the output of the only last node', () => {
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

  it('returns the outputs of several last nodes by id, null for a skipped node or a tolerated failure', () => {
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

  it('returns the output that the workflow declares', () => {
    const nodes = [{ id: 'a', type: 'effect', on_error: 'continue' as const }];
    const plan = planOf(nodes, {}, { why: '{{ nodes.a.error.code }}', of: '{{ input.amount }}' });
    const state = after(plan, BEGINNING, { a: failure(false) });
    expect(decide(plan, state).events[0]?.data).toMatchObject({ output: { why: 'boom', of: 7 } });
  });

  it('fails the execution without a node id if the output template cannot be rendered', () => {
    const plan = planOf([{ id: 'a', type: 'effect' }], {}, '{{ nodes.a.output.missing }}');
    const { events } = decide(plan, after(plan, BEGINNING, { a: done({}) }));
    expect(events[0]).toMatchObject({
      type: 'workflow.failed',
      data: { status: 'failed', error: { type: 'expression_error', node_id: null } },
    });
  });

  it('times out the execution, even while nodes run or it is paused', () => {
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

  it('makes no further decision for an ended execution', () => {
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

describe('a pause', () => {
  it('starts nothing and asks to wake at the timeout', () => {
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

describe('a pause or resume request', () => {
  const plan = planOf([{ id: 'a', type: 'effect' }]);
  const pause: Message = { id: 'p', kind: 'pause', reason: 'Lunch.' };
  const resume: Message = { id: 'r', kind: 'resume' };
  const begun = after(plan, BEGINNING, {});

  it('is recorded before anything else is decided', () => {
    const decision = told(plan, begun, [pause]);
    expect(decision).toMatchObject({
      events: [{ type: 'workflow.paused', data: { status: 'paused', reason: 'Lunch.' } }],
      runs: [],
      consumed: [{ id: 'p', sequence: begun.sequence + 1 }],
      wakeAt: TIMEOUT_AT,
    });
    const still = fold(decision.events, begun);
    expect(told(plan, still, [resume])).toMatchObject({
      events: [{ type: 'workflow.resumed', data: { status: 'running', reason: 'request' } }],
      consumed: [{ id: 'r', sequence: still.sequence + 1 }],
    });
  });

  it('is consumed if it changes nothing', () => {
    expect(told(plan, begun, [resume])).toMatchObject({
      events: [],
      consumed: [{ id: 'r', sequence: begun.sequence }],
    });
  });

  it('keeps the scheduled start of an execution that had not started', () => {
    const scheduled = fold([queued({}, 0, NOW + 60_000)]);
    expect(told(plan, scheduled, [])).toEqual({
      events: [],
      state: scheduled,
      runs: [],
      consumed: [],
      wakeAt: NOW + 60_000,
      inputSize: 0,
    });
    const held = told(plan, scheduled, [pause]);
    expect(held).toMatchObject({ events: [{ type: 'workflow.paused' }], wakeAt: null });
    const back = told(plan, fold(held.events, scheduled), [resume]);
    expect(back).toMatchObject({ events: [{ data: { status: 'queued' } }], wakeAt: NOW + 60_000 });
    const again = fold([...held.events, ...back.events], scheduled);
    expect(again.status).toBe('queued');
    expect(typesOf(told(plan, again, [], NOW + 60_000).events)).toEqual([
      'workflow.started',
      'workflow.node.started a',
    ]);
  });
});

describe('a signal', () => {
  const plan = planOf(
    [
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect' },
    ],
    { max_concurrency: 2 },
  );
  const both = after(plan, BEGINNING, { a: waitFor('go'), b: waitFor('go', NOW + 1_000) });

  it('wakes the waits for its name in order: the first signal wakes the first wait', () => {
    const asleep = fold([suspended(both, NOW, null)], both);
    const { events, consumed, runs } = told(plan, asleep, [
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

  it('wakes a wait whose time is up if it arrived before the decision', () => {
    const { events } = told(plan, both, [signal('go', 1), signal('go', 2)], NOW + 2_000);
    expect(events).toMatchObject([{ nodeId: 'a' }, { data: { resumption: { kind: 'signal' } } }]);
    const late = told(plan, both, [signal('go', 1)], NOW + 2_000);
    expect(late.events[1]).toMatchObject({ nodeId: 'b', data: { resumption: { kind: 'timer' } } });
  });

  it('wakes only the wait it is addressed to', () => {
    const forB = signal('go', 'b', { nodeId: 'b', attempt: 1 });
    expect(told(plan, both, [forB]).events).toMatchObject([{ nodeId: 'b' }]);
    for (const to of [
      { nodeId: 'b', attempt: 2 },
      { nodeId: 'c', attempt: 1 },
    ])
      expect(told(plan, both, [signal('go', 0, to)])).toMatchObject({ events: [], consumed: [] });
  });

  it('stays in the inbox while max_concurrency is reached', () => {
    const narrow = planOf(
      [
        { id: 'a', type: 'effect' },
        { id: 'b', type: 'effect' },
      ],
      { max_concurrency: 1 },
    );
    const state = after(narrow, after(narrow, BEGINNING, { a: waitFor('go') }), {});
    expect(state.running).toBe(1);
    expect(told(narrow, state, [signal('go', 1)])).toMatchObject({ events: [], consumed: [] });
  });

  it('stays in the inbox if the input of the waiting node cannot be rendered and the execution fails', () => {
    const reads = planOf([{ id: 'a', type: 'effect', with: { v: '{{ workflow.version }}' } }]);
    const state = after(reads, BEGINNING, { a: waitFor('go') });
    const none = { ...SURROUNDINGS, workflow: {} };
    const { events, consumed } = decide(reads, state, NOW, none, [signal('go', 1)]);
    expect(typesOf(events)).toEqual(['workflow.node.failed a', 'workflow.failed']);
    expect(consumed).toEqual([]);
  });

  it('does not wake a wait for a child, and the end of a child wakes only the node that waits for it', () => {
    const state = after(plan, BEGINNING, { a: { kind: 'child', executionId: 'c1' }, b: waitFor('c1') });
    const end = { status: 'completed', output: 7, error: null } as const;
    const child = (id: string): Message => ({ id: `of-${id}`, kind: 'child', end: { id, ...end } });
    expect(told(plan, state, [child('c2')])).toMatchObject({ events: [], consumed: [] });
    const asleep = fold([suspended(state, NOW, null)], state);
    expect(told(plan, asleep, [child('c1'), signal('c1', 1)])).toMatchObject({
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

  /** Asleep since `NOW`, for a signal or until an instant. */
  function asleep(of: Plan, until: number | null): ExecutionState {
    const outcome = until === null ? waitFor('go') : sleep(until);
    const waiting = after(of, BEGINNING, { a: outcome });
    return fold([suspended(waiting, NOW + 4_000, until)], waiting);
  }

  it('is recorded with the start', () => {
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

  it('wakes nothing by itself', () => {
    expect(decide(plan).wakeAt).toBeNull();
    expect(decide(plan, after(plan, BEGINNING, { a: sleep(NOW + WEEK_MS) })).wakeAt).toBe(NOW + WEEK_MS);
  });

  it('ends an execution whose attempts used it up', () => {
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
            message: 'The execution was active for longer than its 10 seconds.',
          },
        },
      },
    ]);
  });

  it('does not count while the execution sleeps', () => {
    const state = asleep(plan, null);
    expect(state.timeoutAt).toBeNull();
    expect(decide(plan, state, NOW + WEEK_MS)).toMatchObject({ events: [], wakeAt: null });
    const { events, state: woken } = told(plan, state, [signal('go', 1)], NOW + WEEK_MS);
    expect(typesOf(events)).toEqual(['workflow.resumed', 'workflow.node.started a']);
    expect(woken.timeoutAt).toBe(NOW + WEEK_MS + 6_000);
  });

  it('does not count while the execution is paused', () => {
    const state = fold([paused(NOW + 4_000)], after(plan, BEGINNING, {}));
    expect(decide(plan, state, NOW + WEEK_MS)).toMatchObject({ events: [], wakeAt: null });
  });

  it('leaves the execution its deadline', () => {
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
            message: `The execution did not end by its deadline, ${new Date(NOW + 60_000).toISOString()}.`,
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

describe('a reminder', () => {
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

  it('is due at each interval of a wait, and sent once', () => {
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
          message: 'Reminder 1: it still waits for the signal "go".',
          reminder: 1,
        },
      },
    ]);
    expect(first.state.status).toBe('waiting');
    expect(first.wakeAt).toBe(NOW + 2 * HOUR_MS);
    expect(decide(plan, first.state, NOW + 2 * HOUR_MS - 1).events).toEqual([]);
    expect(remindersOf(decide(plan, first.state, NOW + 2 * HOUR_MS).events)).toEqual([2]);
  });

  it('is sent for each instant that passed while no process ran', () => {
    const { events, wakeAt } = decide(plan, waitingSince(plan), NOW + 3.5 * HOUR_MS);
    expect(remindersOf(events)).toEqual([1, 2, 3]);
    expect(wakeAt).toBe(NOW + 4 * HOUR_MS);
  });

  it('is left to the next decision where many are due', () => {
    const now = NOW + 1_000 * HOUR_MS;
    const { events, wakeAt, state } = decide(plan, waitingSince(plan), now);
    expect(events).toHaveLength(256);
    expect(wakeAt).toBe(now);
    expect(remindersOf(decide(plan, state, now).events)[0]).toBe(257);
  });

  it('stops when the signal comes or the wait is over', () => {
    const state = waitingSince(plan, NOW + 2 * HOUR_MS);
    const woken = told(plan, state, [signal('go', 1)], NOW + HOUR_MS);
    expect(typesOf(woken.events)).toEqual(['workflow.resumed', 'workflow.node.started a']);
    const late = decide(plan, state, NOW + 2 * HOUR_MS);
    expect(typesOf(late.events)).toEqual(['workflow.resumed', 'workflow.node.started a']);
  });

  it('is not sent while the execution is paused', () => {
    const state = fold([paused(NOW)], waitingSince(plan));
    expect(decide(plan, state, NOW + HOUR_MS)).toMatchObject({ events: [], wakeAt: null });
  });

  it('leaves a wait without an interval alone', () => {
    const waiting = after(plan, BEGINNING, { a: waitFor('go') });
    const asleep = fold([suspended(waiting, NOW, null)], waiting);
    expect(decide(plan, asleep, NOW + HOUR_MS).events).toEqual([]);
  });
});
