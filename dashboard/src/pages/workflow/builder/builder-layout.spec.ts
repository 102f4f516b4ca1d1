import { describe, expect, it } from 'vitest';
import { builderLayout, neighborOf } from './builder-layout.ts';
import type { Definition } from './definition.ts';

const LOOPS = new Set(['foreach']);
const set = (id: string, rest: object = {}) => ({ id, type: 'set', ...rest });
const DEFINITION: Definition = {
  nodes: [
    set('load'),
    {
      id: 'each',
      type: 'foreach',
      needs: ['load'],
      with: { nodes: [set('charge'), set('note', { needs: ['charge'], if: 'item.paid' })] },
    },
    set('report', { needs: ['each'] }),
    set('alarm', { if: 'nodes.load.output > 1' }),
  ],
};
const { nodes, edges } = builderLayout(DEFINITION, LOOPS);
const at = (key: string) => {
  const found = nodes.find((node) => node.key === key);
  if (found === undefined) throw new Error(`${key} was not placed.`);
  return found;
};

describe('builderLayout', () => {
  it('the builder places a node to the right of the nodes it depends on', () => {
    expect(at('each').x).toBeGreaterThanOrEqual(at('load').x + at('load').width);
    expect(at('report').x).toBeGreaterThanOrEqual(at('each').x + at('each').width);
  });

  it('the builder draws the frame of a loop around all nodes in the loop', () => {
    const { width, height } = at('each');
    for (const key of ['each/charge', 'each/note']) {
      const inner = at(key);
      expect(inner.x).toBeGreaterThan(0);
      expect(inner.x + inner.width).toBeLessThan(width);
      expect(inner.y + inner.height).toBeLessThan(height);
    }
  });

  it('the builder shows the condition of a node on the edges that lead to the node', () => {
    const conditions = edges.map(({ id, condition, referenced }) => [id, condition, referenced]);
    expect(conditions).toEqual([
      ['load>each', null, false],
      ['each>report', null, false],
      ['load>alarm', 'nodes.load.output > 1', true],
      ['each/charge>each/note', 'item.paid', false],
    ]);
  });

  it('the builder draws the frame of an empty loop with space for nodes', () => {
    const [empty] = builderLayout({ nodes: [{ id: 'each', type: 'foreach' }] }, LOOPS).nodes;
    expect(empty?.height).toBeGreaterThan(100);
  });
});

describe('neighborOf', () => {
  it('`neighborOf` finds the next node to the left or right, even inside a loop', () => {
    expect(neighborOf(nodes, 'load', 'left')).toBeUndefined();
    expect(neighborOf(nodes, 'each/charge', 'right')?.key).toBe('each/note');
    expect(neighborOf(nodes, 'each/note', 'left')?.key).toBe('each/charge');
    expect(neighborOf(nodes, 'nothing', 'left')).toBeUndefined();
  });
});
