import { describe, expect, it } from 'vitest';
import { CATALOG, planOf, EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { queued } from '../../test/support/simulated-run.js';
import { DEFAULT_CONFIG, type NodeDefinition } from './definition.js';
import { type JournalEvent, stateKey } from '../execution-events/index.js';
import { fold } from './fold.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { compact } from './loop.js';
import { ItemResults } from './loop-state.js';
import { type Decision, next } from './next.js';
import { compilePlan, type Plan } from './plan.js';
import { type AttemptOutcome, settle } from './settle.js';
import { type ExecutionState, isUnderWay, nodeState } from './state.js';

const NOW = 10_000;
const BEGINNING = fold([queued({ list: [1, 2, 3], amount: 7 }, 0)]);
const BOOM = { code: 'boom', message: 'Boom.', details: { try: 1 } };

function loop(nodes: readonly NodeDefinition[], more: JsonObject = {}, node: object = {}): NodeDefinition {
  const parameters = { items: '{{ input.list }}', nodes: nodes as unknown as Json, ...more };
  return { id: 'each', type: 'loop', with: parameters, ...node };
}

function done(output: Json): AttemptOutcome {
  return { kind: 'output', output, cached: false };
}

const FAILURE: AttemptOutcome = { kind: 'failure', retryable: false, error: BOOM };

/**
 * Computes one decision of the engine and appends its events. Ends each started attempt with the outcome from
 * `outcomeOf`. An attempt without an outcome keeps running.
 */
function step(
  plan: Plan,
  from: ExecutionState,
  outcomeOf: (nodeId: string, index: number) => AttemptOutcome | null,
  now = NOW,
): { readonly state: ExecutionState; readonly decision: Decision } {
  const decision = next(plan, from, now, EVALUATION_CONTEXT);
  let state = fold(decision.events, from);
  for (const run of decision.runs) {
    const outcome = outcomeOf(run.node.id, run.iteration?.index ?? -1);
    if (outcome !== null) state = fold([settle(plan, state, run, outcome, now, 0)], state);
  }
  return { state, decision };
}

function lastOf({ events }: Decision): JournalEvent | undefined {
  return events.at(-1);
}

function placesOf({ runs }: Decision): readonly string[] {
  return runs.map(({ node, iteration }) => stateKey(node.id, iteration?.of.id, iteration?.index));
}

describe('a loop', () => {
  it('a loop starts at most `max_concurrency` items, and starts the next item when one ends', () => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }], { max_concurrency: 2 })]);
    const first = step(plan, BEGINNING, (_, index) => (index === 1 ? done('one') : null));
    expect(first.decision.events[1]?.data).toEqual({
      node_id: 'each',
      node_type: 'loop',
      status: 'running',
      input: { items: [1, 2, 3], max_concurrency: 2 },
      iterations: 3,
    });
    expect(placesOf(first.decision)).toEqual(['each[0].call', 'each[1].call']);
    expect(first.state.running).toBe(1);
    const second = step(plan, first.state, () => done('two'));
    expect(placesOf(second.decision)).toEqual(['each[2].call']);
  });

  it('a loop returns its results in the order of the list, whatever the order in which the items end', () => {
    const nodes = [{ id: 'call', type: 'effect', with: { of: '{{ item }} at {{ index }}' } }];
    const plan = planOf([loop(nodes)]);
    const { events, runs } = next(plan, BEGINNING, NOW, EVALUATION_CONTEXT);
    let state = fold(events, BEGINNING);
    for (const run of [...runs].reverse())
      state = fold([settle(plan, state, run, done(run.input['of'] as Json), NOW, 0)], state);
    const end = next(plan, state, NOW, EVALUATION_CONTEXT);
    expect(lastOf(end)?.data).toMatchObject({ output: ['1 at 0', '2 at 1', '3 at 2'] });
    expect([...fold(end.events, state).nodes].map(([key]) => key)).toEqual(['each']);
  });

  it('a loop over 1,000 items creates fewer than 300 events per decision', () => {
    const items = Array.from({ length: 1_000 }, (_, n) => n);
    const plan = planOf([loop([{ id: 'a', type: 'pure', if: 'false' }], { items })]);
    let state = BEGINNING;
    let decisions = 0;
    for (; state.status !== 'completed'; decisions += 1) {
      const { events, wakeAt } = next(plan, state, NOW, EVALUATION_CONTEXT);
      expect(events.length).toBeLessThan(300);
      expect(wakeAt).toBe(events.at(-1)?.type === 'workflow.completed' ? null : NOW);
      state = compact(plan, fold(events, state), EVALUATION_CONTEXT);
      expect([...state.nodes].length).toBeLessThan(20);
    }
    expect(decisions).toBeGreaterThan(3);
    expect(state.output).toHaveLength(1_000);
  });

  it('a loop records its progress at most once a second, and only if the progress changed', () => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }], { max_concurrency: 1 })]);
    const progressEvents = (decision: Decision): readonly unknown[] =>
      decision.events.filter(({ type }) => type === 'workflow.node.progress').map(({ data }) => data);
    const first = step(plan, BEGINNING, () => done(1));
    const second = step(plan, first.state, () => null, NOW + 400);
    expect(progressEvents(second.decision)).toEqual([]);
    const late = step(plan, second.state, () => null, NOW + 1_100);
    expect(progressEvents(late.decision)).toMatchObject([{ fraction: 1 / 3, message: '1 of 3' }]);
    expect(progressEvents(step(plan, late.state, () => null, NOW + 9_000).decision)).toEqual([]);
  });

  it('a loop requests a wake-up at its own timeout, and fails at that time', () => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }], {}, { timeout_seconds: 5 })]);
    const { state, decision } = step(plan, BEGINNING, () => null);
    expect(decision.wakeAt).toBe(NOW + 5_000);
    expect(state.running).toBe(3);
    const end = next(plan, state, NOW + 5_000, EVALUATION_CONTEXT);
    expect(lastOf(end)?.data).toMatchObject({
      error: {
        type: 'node_timeout',
        message: 'The attempt took longer than its timeout of 5 seconds.',
        node_id: 'each',
      },
    });
    const after = fold(end.events, state);
    expect(after.running).toBe(0);
    expect(decision.runs.map((run) => [isUnderWay(state, run), isUnderWay(after, run)])).toEqual([
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it('a loop fails when its first item fails', () => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }])]);
    const { state } = step(plan, BEGINNING, (_, index) => (index === 1 ? FAILURE : null));
    expect(lastOf(next(plan, state, NOW, EVALUATION_CONTEXT))?.data).toMatchObject({
      error: {
        type: 'item_failed',
        message: 'Item 1 failed in "call": Boom.',
        details: { index: 1, node_id: 'call', error: BOOM },
      },
    });
  });

  it('a loop fails when its `output` expression cannot be evaluated for an item', () => {
    const output = '{{ nodes.call.output.v }}';
    const plan = planOf([loop([{ id: 'call', type: 'effect' }], { output })]);
    const { state } = step(plan, BEGINNING, () => done({}));
    expect(lastOf(next(plan, state, NOW, EVALUATION_CONTEXT))?.data).toMatchObject({
      error: {
        message: expect.stringMatching(/^Item 0 failed: In the output of item 0 of "each": /),
        details: { index: 0, node_id: null },
      },
    });
  });

  it('an item of a loop starts no further node after the input of one of its nodes could not be evaluated', () => {
    const nodes = [
      { id: 'bad', type: 'effect', with: { of: '{{ 1 / (index - 1) }}' } },
      { id: 'other', type: 'effect' },
    ];
    const plan = planOf([loop(nodes, { on_error: 'continue' })], { max_concurrency: 50 });
    const begun = ['each[0].bad', 'each[0].other', 'each[2].bad', 'each[2].other'];
    expect(placesOf(next(plan, BEGINNING, NOW, EVALUATION_CONTEXT))).toEqual(begun);
  });

  it('a failed item of a loop with `on_error: continue` starts no further node, and the other items continue', () => {
    const nodes = [
      { id: 'bad', type: 'effect' },
      { id: 'slow', type: 'effect' },
      { id: 'last', type: 'effect', needs: ['slow'] },
    ];
    const plan = planOf([loop(nodes, { on_error: 'continue', items: ['a', 'b'] })], { max_concurrency: 50 });
    const first = step(plan, BEGINNING, (id, index) => {
      if (id === 'bad') return index === 0 ? FAILURE : done(1);
      return index === 0 ? null : done(2);
    });
    const second = step(plan, first.state, () => done(3));
    expect(placesOf(second.decision)).toEqual(['each[1].last']);
    const slow = first.decision.runs.find(
      ({ node, iteration }) => node.id === 'slow' && iteration?.index === 0,
    );
    const state = fold([settle(plan, second.state, slow!, done(4), NOW, 0)], second.state);
    expect(lastOf(next(plan, state, NOW, EVALUATION_CONTEXT))?.data).toMatchObject({
      output: [
        { error: { code: 'boom', message: 'Boom.', node_id: 'bad', details: { try: 1 } } },
        { bad: 1, last: 3 },
      ],
    });
  });

  it('a loop fails if its results exceed the maximum output size', () => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }])]);
    const { state } = step(plan, BEGINNING, () => done('x'.repeat(1_500_000)));
    expect(lastOf(next(plan, state, NOW, EVALUATION_CONTEXT))?.data).toMatchObject({
      error: {
        type: 'output_too_large',
        message: 'The output has 4500010 characters of JSON. The maximum is 4194304.',
      },
    });
  });

  it.each<[JsonObject, string]>([
    [{ items: '{{ input.amount }}' }, '`items` must be a list, but it is a number.'],
    [{ items: null }, '`items` must be a list, but it is null.'],
    [{ items: Array.from({ length: 10_001 }, () => 0) }, '`items` has 10001 elements. The maximum is 10000.'],
    [{ max_concurrency: '{{ "3" }}' }, '`max_concurrency` must be a whole number from 1 to 500.'],
    [{ max_concurrency: 1.5 }, '`max_concurrency` must be a whole number from 1 to 500.'],
    [{ max_concurrency: 0 }, '`max_concurrency` must be a whole number from 1 to 500.'],
    [{ max_concurrency: 501 }, '`max_concurrency` must be a whole number from 1 to 500.'],
  ])('a loop refuses the parameters %j', (more, message) => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }], more)]);
    expect(lastOf(next(plan, BEGINNING, NOW, EVALUATION_CONTEXT))?.data).toMatchObject({
      error: { type: 'invalid_parameters', message },
    });
  });

  it('a loop fails if `items` is missing', () => {
    const { items: _, ...rest } = loop([{ id: 'call', type: 'effect' }]).with as JsonObject;
    const plan = planOf([{ id: 'each', type: 'loop', with: rest }]);
    expect(lastOf(next(plan, BEGINNING, NOW, EVALUATION_CONTEXT))?.data).toMatchObject({
      error: { message: '`items` must be a list, but it is null.' },
    });
  });

  it('an execution fails if a node fails in the same decision that starts a loop', () => {
    const plan = planOf([
      { id: 'bad', type: 'effect', if: '1' },
      loop([{ id: 'skipped', type: 'effect', if: 'false' }]),
    ]);
    const swapped = { ...plan, order: [...plan.order].reverse() };
    const { events } = next(swapped, BEGINNING, NOW, EVALUATION_CONTEXT);
    expect(events.map(({ type }) => type)).toContain('workflow.node.started');
    expect(fold(events, BEGINNING).status).toBe('failed');
  });

  it('`fold` ignores an event of a loop item if the start event of the loop is missing', () => {
    const plan = planOf([loop([{ id: 'call', type: 'effect' }])]);
    const { events } = next(plan, BEGINNING, NOW, EVALUATION_CONTEXT);
    const state = fold(events.slice(2), BEGINNING);
    expect(nodeState(state, 'each').loop).toBeNull();
  });
});

describe('ItemResults', () => {
  it('`ItemResults.length` is the number of characters of the results as JSON text', () => {
    let results = ItemResults.NONE;
    expect(results.length).toBe('[]'.length);
    const list: Json[] = [];
    for (let index = 0; index < 300; index += 1) list[index] = { text: `${index}`, list: [index] };
    for (const index of list.keys()) results = results.with(299 - index, list[299 - index] as Json);
    expect(results.toList()).toEqual(list);
    expect(results.length).toBe(JSON.stringify(list).length);
  });
});

describe('compiling loops', () => {
  const faultsOf = (nodes: readonly NodeDefinition[], output?: Json): readonly (readonly string[])[] =>
    compilePlan(
      { nodes, config: DEFAULT_CONFIG, ...(output === undefined ? {} : { output }) },
      CATALOG,
    ).faults.map(({ path, code, message }) => [path, code, message]);

  it('compiling a loop reports the errors of its body with their paths', () => {
    const body: readonly NodeDefinition[] = [
      { id: 'a', type: 'effect', with: { x: '{{ nodes.ghost.output }}', refused: true }, needs: ['c'] },
      { id: 'c', type: 'effect', needs: ['a'] },
      { id: 'd', type: 'nothing' },
      { id: 'outer', type: 'effect' },
    ];
    const faults = faultsOf([
      loop(body, { output: '{{ nodes.nobody.output }} {{ 1 + }}' }),
      { id: 'outer', type: 'effect' },
    ]);
    expect(faults.map(([path, code]) => [path, code])).toEqual([
      ['nodes[0].with.nodes[0].with.refused', 'schema'],
      ['nodes[0].with.nodes[2].type', 'unknown_node_type'],
      ['nodes[0].with.nodes[3].id', 'duplicate_node_id'],
      ['nodes[0].with.nodes[0].with.x', 'unknown_node'],
      ['nodes[0].with.nodes[1].needs[0]', 'cycle'],
      ['nodes[0].with.output', 'expression_syntax'],
      ['nodes[0].with.output', 'unknown_node'],
    ]);
  });

  it('compiling reports a reference from outside to a node in a loop, and a reference from inside to the loop itself', () => {
    const inner = { id: 'a', type: 'effect', with: { x: '{{ nodes.each.output }}' } };
    const faults = faultsOf(
      [loop([inner]), { id: 'b', type: 'effect', needs: ['a'] }],
      '{{ nodes.a.output }}',
    );
    expect(faults).toEqual([
      ['nodes[0].with.nodes[0].with.x', 'self_reference', 'The node "each" refers to itself.'],
      [
        'nodes[1].needs[0]',
        'node_inside_loop',
        'The node "b" refers to "a", which exists only inside "each". Use `nodes.each.output`, the list of the outputs of all items.',
      ],
      ['output', 'node_inside_loop', expect.stringMatching(/^The output refers to "a"/)],
    ]);
  });

  it('compiling a loop reports a nested loop, a retry of a loop, and a node id that two loops use', () => {
    const inner = loop([{ id: 'x', type: 'effect' }], {}, { id: 'inner' });
    const faults = faultsOf([
      loop([inner, { id: 'a', type: 'effect' }], {}, { retry: { max_attempts: 2 } }),
      loop([{ id: 'a', type: 'effect' }], {}, { id: 'other' }),
    ]);
    expect(faults.map(([path, code]) => [path, code])).toEqual([
      ['nodes[0].retry', 'retry_of_loop'],
      ['nodes[0].with.nodes[0].type', 'nested_loop'],
      ['nodes[1].with.nodes[0].id', 'duplicate_node_id'],
    ]);
  });

  it('the limit for the number of nodes in a workflow also counts the nodes inside loops', () => {
    const body = Array.from({ length: 500 }, (_, n): NodeDefinition => ({ id: `n${n}`, type: 'pure' }));
    expect(faultsOf([loop(body)])).toMatchObject([['nodes', 'too_many_nodes', expect.any(String)]]);
    expect(faultsOf([loop(body.slice(1))])).toEqual([]);
  });

  it('compiling a loop whose parameters violate the schema of the loop reports only the schema errors', () => {
    expect(faultsOf([loop([], { refused: true })]).map(([path]) => path)).toEqual(['nodes[0].with.refused']);
  });

  it('a loop depends on each outside node to which its body or its output refers', () => {
    const plan = planOf([
      loop([{ id: 'a', type: 'effect', with: { x: '{{ nodes.b.output }}' } }], {
        output: '{{ nodes.c.output }}{{ nodes.a.output }}',
      }),
      { id: 'b', type: 'effect' },
      { id: 'c', type: 'effect' },
    ]);
    expect(plan.loops.map(({ needs }) => needs)).toEqual([['b', 'c']]);
    expect(plan.loops[0]?.body.order[0]?.needs).toEqual([]);
  });
});
