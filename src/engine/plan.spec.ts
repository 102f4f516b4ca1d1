import { describe, expect, it } from 'vitest';
import { CATALOG, planOf } from '../../test/support/engine-plans.js';
import {
  DEFAULT_CONFIG,
  type NodeDefinition,
  type WorkflowConfig,
  type WorkflowDefinition,
  LIMITS,
} from './definition.js';
import { compilePlan } from './plan.js';
import type { PlannedNode } from './planned-node.js';

function faultsOf(
  nodes: readonly NodeDefinition[],
  rest: Partial<WorkflowDefinition> = {},
): readonly { readonly path: string; readonly code: string }[] {
  const { plan, faults } = compilePlan({ nodes, config: DEFAULT_CONFIG, ...rest }, CATALOG);
  expect(plan === null).toBe(faults.length > 0);
  return faults.map(({ path, code }) => ({ path, code }));
}

function nodeOf(definition: Partial<NodeDefinition>): PlannedNode {
  const node = planOf([
    { id: 'a', type: 'pure' },
    { id: 'it', type: 'effect', ...definition },
  ]).nodes.get('it');
  if (node === undefined) throw new Error('The node is not in its plan.');
  return node;
}

describe('compilePlan', () => {
  it('`compilePlan` returns an empty plan for no nodes', () => {
    expect(planOf([])).toEqual({
      nodes: new Map(),
      order: [],
      loops: [],
      last: [],
      config: DEFAULT_CONFIG,
      output: null,
    });
  });

  it('`compilePlan` adds the defaults of omitted fields of a node', () => {
    expect(nodeOf({})).toMatchObject({
      name: null,
      needs: [],
      condition: null,
      retry: { maxAttempts: 1 },
      timeoutMs: null,
      onError: 'fail',
      cacheTtlSeconds: null,
    });
    expect(nodeOf({}).with.render({ input: null, nodes: {} })).toEqual({});
  });

  it('`compilePlan` keeps the name, timeout, `on_error` and `retry` that a node sets', () => {
    const definition = {
      name: 'Charge',
      timeout_seconds: 2.5,
      on_error: 'continue',
      retry: { max_attempts: 3 },
    } as const;
    expect(nodeOf(definition)).toMatchObject({
      name: 'Charge',
      timeoutMs: 2_500,
      onError: 'continue',
      retry: { maxAttempts: 3 },
      type: { type: 'effect' },
    });
  });

  it.each([
    ['shared', undefined, 86_400],
    ['shared', 60, 60],
    ['shared-if-asked', undefined, null],
    ['shared-if-asked', 60, 60],
    ['effect', 60, null],
    ['effect', undefined, null],
  ])('the cache TTL of a node of type `%s` that requests %s seconds is %s', (type, ttl, expected) => {
    const cache = ttl === undefined ? {} : { cache: { ttl_seconds: ttl } };
    expect(planOf([{ id: 'a', type, ...cache }]).order[0]?.cacheTtlSeconds).toBe(expected);
  });

  it('`compilePlan` derives dependencies from expressions, and lists each dependency only once', () => {
    const { order, last } = planOf([
      {
        id: 'd',
        type: 'pure',
        needs: ['a'],
        if: 'nodes.b.output > 1',
        with: { x: ['{{ nodes.c.output + nodes.a.output }}'] },
      },
      { id: 'c', type: 'pure' },
      { id: 'b', type: 'pure' },
      { id: 'a', type: 'pure' },
    ]);
    expect(order.map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd']);
    expect(order.at(-1)?.needs).toEqual(['b', 'c', 'a']);
    expect(last.map(({ id }) => id)).toEqual(['d']);
  });

  it('a reference in the workflow output does not add a dependency', () => {
    const plan = planOf([{ id: 'a', type: 'pure' }], {}, { of: '{{ nodes.a.output }}' });
    expect(plan.last.map(({ id }) => id)).toEqual(['a']);
    expect([...(plan.output?.references.nodes ?? [])]).toEqual(['a']);
  });

  it('`compilePlan` keeps an explicit null output', () => {
    expect(planOf([{ id: 'a', type: 'pure' }], {}, null).output).not.toBeNull();
  });

  it.each(['', 'A', '1a', 'a-b', 'a.b', '__proto__', `a${'b'.repeat(64)}`])(
    '`compilePlan` rejects the node id "%s"',
    (id) => {
      expect(faultsOf([{ id, type: 'pure' }])).toEqual([{ path: 'nodes[0].id', code: 'invalid_node_id' }]);
    },
  );

  it.each(['a', `a${'b'.repeat(63)}`, 'constructor'])('`compilePlan` accepts the node id "%s"', (id) => {
    expect(faultsOf([{ id, type: 'pure' }])).toEqual([]);
  });

  it('`compilePlan` reports an unknown node type and lists the known node types', () => {
    const { faults } = compilePlan({ nodes: [{ id: 'a', type: 'htpp' }], config: DEFAULT_CONFIG }, CATALOG);
    expect(faults).toEqual([
      {
        path: 'nodes[0].type',
        code: 'unknown_node_type',
        message:
          'There is no node type "htpp". Known types: pure, effect, sleeper, loop, shared, shared-if-asked.',
      },
    ]);
  });

  it('`compilePlan` reports all errors together, each with its path', () => {
    const nodes: readonly NodeDefinition[] = [
      { id: 'a', type: 'pure', with: { refused: 1, text: '{{ 1 + }}' } },
      { id: 'a', type: 'nothing', if: '1 +', needs: ['ghost'] },
      { id: 'c', type: 'pure', if: 'nodes.c.status == "x"', with: { x: '{{ nodes.specter.output }}' } },
    ];
    expect(faultsOf(nodes, { output: { x: '{{ nodes.phantom.output }}', y: '{{ }}' } })).toEqual([
      { path: 'nodes[0].with.text', code: 'expression_syntax' },
      { path: 'nodes[0].with.refused', code: 'schema' },
      { path: 'nodes[1].type', code: 'unknown_node_type' },
      { path: 'nodes[1].if', code: 'expression_syntax' },
      { path: 'nodes[1].id', code: 'duplicate_node_id' },
      { path: 'nodes[1].needs[0]', code: 'unknown_node' },
      { path: 'nodes[2].if', code: 'self_reference' },
      { path: 'nodes[2].with.x', code: 'unknown_node' },
      { path: 'output.y', code: 'expression_syntax' },
      { path: 'output.x', code: 'unknown_node' },
    ]);
  });

  it('`compilePlan` reports a cycle at the expression that closes the cycle', () => {
    const nodes: readonly NodeDefinition[] = [
      { id: 'a', type: 'pure', needs: ['b'] },
      { id: 'b', type: 'pure', with: { x: '{{ nodes.a.output }}' } },
    ];
    expect(faultsOf(nodes)).toEqual([{ path: 'nodes[1].with.x', code: 'cycle' }]);
  });

  it('`compilePlan` allows secrets only in `with`', () => {
    const reads = '{{ secrets.token }}';
    expect(faultsOf([{ id: 'a', type: 'pure', with: { x: reads } }])).toEqual([]);
    expect(faultsOf([{ id: 'a', type: 'pure', if: 'secrets.token == ""' }], { output: reads })).toEqual([
      { path: 'nodes[0].if', code: 'unknown_name' },
      { path: 'output', code: 'unknown_name' },
    ]);
  });

  it('`compilePlan` does not evaluate expressions in a parameter that the schema marks as literal', () => {
    const properties = { text: { 'x-literal': true }, other: { 'x-literal': false }, any: true };
    const catalog: typeof CATALOG = {
      ...CATALOG,
      find: (type) => {
        const found = CATALOG.find(type);
        return found && { ...found, description: { ...found.description, schema: { properties } } };
      },
    };
    const literal = { text: 'f({{ input.n }} {{', other: '{{ input.n }}', any: { text: '{{ input.n }}' } };
    const { plan, faults } = compilePlan(
      { nodes: [{ id: 'a', type: 'pure', with: literal }], config: DEFAULT_CONFIG },
      catalog,
    );
    expect(faults).toEqual([]);
    expect(plan?.nodes.get('a')?.with.render({ input: { n: 2 } })).toEqual({
      text: 'f({{ input.n }} {{',
      other: 2,
      any: { text: 2 },
    });
  });

  it(`compilePlan accepts at most ${LIMITS.nodes} nodes`, () => {
    const many = (count: number): readonly NodeDefinition[] =>
      Array.from({ length: count }, (_, i) => ({ id: `n${i}`, type: 'pure' }));
    expect(faultsOf(many(LIMITS.nodes))).toEqual([]);
    expect(faultsOf(many(LIMITS.nodes + 1))).toEqual([{ path: 'nodes', code: 'too_many_nodes' }]);
  });
});

describe('compilePlan with an internal error', () => {
  it('`compilePlan` rethrows an internal error of the parser instead of reporting an error in the definition', () => {
    const source = null as unknown as string;
    expect(() => planOf([{ id: 'a', type: 'pure', if: source }])).toThrow(TypeError);
  });
});

describe('a deadline', () => {
  it('`compilePlan` refuses a deadline if the timeout does not count active time', () => {
    const compile = (config: Partial<WorkflowConfig>): readonly string[] =>
      compilePlan({ nodes: [], config: { ...DEFAULT_CONFIG, ...config } }, CATALOG).faults.map(
        ({ path, code }) => `${path} ${code}`,
      );
    expect(compile({ deadline_seconds: 60 })).toEqual(['config.deadline_seconds deadline_needs_active_time']);
    expect(compile({ deadline_seconds: 60, timeout_counts: 'active' })).toEqual([]);
    expect(compile({ timeout_counts: 'active' })).toEqual([]);
  });
});
