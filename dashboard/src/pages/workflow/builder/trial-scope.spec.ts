import { expect, it } from 'vitest';
import { trialScope } from './trial-scope.ts';

const NODE = { id: 'b', type: 'set', with: { value: '{{ nodes.a.output }}' } };
const LAST = { input: { n: 1 }, nodes: { a: { output: 2 }, c: { output: 3 } } };

it('`trialScope` contains only the data that the tested node reads', () => {
  expect(trialScope(NODE, false, LAST)).toEqual({ input: { n: 1 }, nodes: { a: { output: 2 } } });
});

it('`trialScope` contains empty values before the first execution', () => {
  expect(trialScope(NODE, true, null)).toEqual({
    input: {},
    nodes: { a: { output: null } },
    item: null,
    index: 0,
  });
});
