import { describe, expect, it } from 'vitest';
import { buildGraph, type GraphNode } from './graph.js';

/** Creates graph nodes from the ids that each node needs, for example `nodesOf({ a: [], b: ['a'] })`. */
function nodesOf(needs: Readonly<Record<string, readonly string[]>>): readonly GraphNode[] {
  return Object.entries(needs).map(([id, ids], index) => ({
    id,
    path: `nodes[${index}]`,
    needs: new Map(ids.map((need) => [need, `nodes[${index}].needs`])),
  }));
}

function orderOf(needs: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const { graph, faults } = buildGraph(nodesOf(needs));
  expect(faults).toEqual([]);
  return graph.order.map(({ id }) => id);
}

describe('buildGraph', () => {
  it('`buildGraph` keeps the order of the nodes in the definition if their dependencies allow this order', () => {
    expect(orderOf({ a: [], b: ['a'], c: [], d: ['c', 'b'] })).toEqual(['a', 'b', 'c', 'd']);
  });

  it('`buildGraph` orders every node after the nodes it needs', () => {
    expect(orderOf({ d: ['c', 'b'], c: ['a'], b: ['a'], a: [] })).toEqual(['a', 'c', 'b', 'd']);
  });

  it('`buildGraph` returns an empty graph for no nodes', () => {
    expect(buildGraph([])).toEqual({ graph: { order: [], last: [] }, faults: [] });
  });

  it('`buildGraph` lists the nodes without dependents in the order of the definition', () => {
    const { graph } = buildGraph(nodesOf({ z: ['a'], a: [], b: ['a'] }));
    expect(graph.last.map(({ id }) => id)).toEqual(['z', 'b']);
  });

  it('`buildGraph` orders a chain of 500 nodes listed in reverse', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`n${i}`, i === 499 ? [] : [`n${i + 1}`]]),
    );
    expect(orderOf(chain)).toEqual(Object.keys(chain).reverse());
  });

  it('`buildGraph` reports a duplicate id with the path of its first use', () => {
    const nodes = [
      ...nodesOf({ a: [], b: [] }),
      { id: 'a', path: 'nodes[2]', needs: new Map([['z', 'nodes[2].if']]) },
    ];
    expect(buildGraph(nodes).faults).toEqual([
      {
        path: 'nodes[2].id',
        code: 'duplicate_node_id',
        message: 'The node id "a" is already used by nodes[0].',
      },
      {
        path: 'nodes[2].if',
        code: 'unknown_node',
        message: 'The node "a" refers to "z", but no node has this id.',
      },
    ]);
  });

  it('`buildGraph` reports a dependency on a missing node, and a dependency of a node on itself', () => {
    expect(buildGraph(nodesOf({ a: ['a', 'ghost'] })).faults).toEqual([
      { path: 'nodes[0].needs', code: 'self_reference', message: 'The node "a" refers to itself.' },
      {
        path: 'nodes[0].needs',
        code: 'unknown_node',
        message: 'The node "a" refers to "ghost", but no node has this id.',
      },
    ]);
  });

  it('`buildGraph` reports only the nodes of a cycle, and no nodes that lead into or out of the cycle', () => {
    expect(
      buildGraph(nodesOf({ before: ['a'], a: ['aside', 'b'], b: ['c'], c: ['a'], aside: [] })).faults,
    ).toEqual([
      {
        path: 'nodes[3].needs',
        code: 'cycle',
        message: 'These nodes depend on each other: a -> b -> c -> a.',
      },
    ]);
  });

  it('`buildGraph` reports only the first of several cycles', () => {
    const { faults } = buildGraph(nodesOf({ a: ['b', 'c'], b: ['a'], c: ['a'] }));
    expect(faults.map(({ message }) => message)).toEqual(['These nodes depend on each other: a -> b -> a.']);
  });
});
