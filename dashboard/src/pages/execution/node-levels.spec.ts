import { expect, it } from 'vitest';
import { levelsOf } from './node-levels.ts';
import { graphOf } from './run-graph.ts';

it('the node list indents the nodes of parallel branches up to the node where the branches join', () => {
  const graph = graphOf([
    { id: 'fetch', type: 'set' },
    { id: 'stock', type: 'set', needs: ['fetch'] },
    { id: 'charge', type: 'set', needs: ['stock'] },
    { id: 'receipt', type: 'set', needs: ['charge'] },
    { id: 'pickup', type: 'set', needs: ['stock'] },
    { id: 'notify', type: 'set', needs: ['receipt', 'pickup'] },
  ]);
  expect([...levelsOf(graph)]).toEqual([
    ['fetch', 1],
    ['stock', 1],
    ['charge', 2],
    ['receipt', 2],
    ['pickup', 2],
    ['notify', 1],
  ]);
});
