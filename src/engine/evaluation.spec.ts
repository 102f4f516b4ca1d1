import { expect, it } from 'vitest';
import { EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { queued } from '../../test/support/simulated-run.js';
import { LongValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import { scopeOf } from './evaluation.js';
import { fold } from './fold.js';

const INPUT = LongValue.ofText('{"amount":3}');

it('a long input is read only when an expression uses the input', () => {
  const state = fold([queued(INPUT as unknown as Json, 0)]);
  const scope = scopeOf(state, [], EVALUATION_CONTEXT);
  expect(scope.input).toEqual({ amount: 3 });
});
