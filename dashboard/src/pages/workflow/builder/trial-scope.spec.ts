import { expect, it } from 'vitest';
import { trialScope } from './trial-scope.ts';

const NODE = { id: 'b', type: 'set', with: { value: '{{ nodes.a.output }}' } };
const LAST = { input: { n: 1 }, nodes: { a: { output: 2 }, c: { output: 3 } } };

it('the data for a node test contains only the values that the node reads', () => {
  expect(trialScope(NODE, false, LAST)).toEqual({ input: { n: 1 }, nodes: { a: { output: 2 } } });
});

it('the data for a node test contains empty values if the workflow has no execution yet', () => {
  expect(trialScope(NODE, true, null)).toEqual({
    input: {},
    nodes: { a: { output: null } },
    item: null,
    index: 0,
  });
});
