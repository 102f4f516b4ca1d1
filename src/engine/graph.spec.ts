import { describe, expect, it } from 'vitest';
import { buildGraph, type GraphNode } from './graph.js';

/** `graphOf({ b: ['a'] })`: each node with its needs, in the order of the document. */
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
  it('keeps the order of the document if the needs allow it', () => {
    expect(orderOf({ a: [], b: ['a'], c: [], d: ['c', 'b'] })).toEqual(['a', 'b', 'c', 'd']);
  });

  it('orders every node after its needs', () => {
    expect(orderOf({ d: ['c', 'b'], c: ['a'], b: ['a'], a: [] })).toEqual(['a', 'c', 'b', 'd']);
  });

  it('returns an empty graph for no nodes', () => {
    expect(buildGraph([])).toEqual({ graph: { order: [], last: [] }, faults: [] });
  });

  it('lists the last nodes in the order of the document', () => {
    const { graph } = buildGraph(nodesOf({ z: ['a'], a: [], b: ['a'] }));
    expect(graph.last.map(({ id }) => id)).toEqual(['z', 'b']);
  });

  it('orders a chain of 500 nodes listed in reverse', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`n${i}`, i === 499 ? [] : [`n${i + 1}`]]),
    );
    expect(orderOf(chain)).toEqual(Object.keys(chain).reverse());
  });

  it('reports a duplicate id with the path of its first use', () => {
    const nodes = [
      ...nodesOf({ a: [], b: [] }),
      { id: 'a', path: 'nodes[2]', needs: new Map([['z', 'nodes[2].if']]) },
    ];
    expect(buildGraph(nodes).faults).toEqual([
      { path: 'nodes[2].id', code: 'duplicate_node_id', message: 'The id "a" is already that of nodes[0].' },
      {
        path: 'nodes[2].if',
        code: 'unknown_node',
        message: 'The node "a" refers to "z", and there is no node of that id.',
      },
    ]);
  });

  it('reports an unknown reference and a self-reference', () => {
    expect(buildGraph(nodesOf({ a: ['a', 'ghost'] })).faults).toEqual([
      { path: 'nodes[0].needs', code: 'self_reference', message: 'The node "a" refers to itself.' },
      {
        path: 'nodes[0].needs',
        code: 'unknown_node',
        message: 'The node "a" refers to "ghost", and there is no node of that id.',
      },
    ]);
  });

  it('reports a cycle without the nodes that only lead into or out of it', () => {
    expect(
      buildGraph(nodesOf({ before: ['a'], a: ['aside', 'b'], b: ['c'], c: ['a'], aside: [] })).faults,
    ).toEqual([
      { path: 'nodes[3].needs', code: 'cycle', message: 'The nodes wait for each other: a -> b -> c -> a.' },
    ]);
  });

  it('reports only the first of several cycles', () => {
    const { faults } = buildGraph(nodesOf({ a: ['b', 'c'], b: ['a'], c: ['a'] }));
    expect(faults.map(({ message }) => message)).toEqual(['The nodes wait for each other: a -> b -> a.']);
  });
});
