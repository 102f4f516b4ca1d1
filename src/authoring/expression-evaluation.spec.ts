import { describe, expect, it } from 'vitest';
import { evaluateExpression } from './expression-evaluation.js';

describe('evaluateExpression', () => {
  it('`evaluateExpression` returns the value of an expression on given data', () => {
    const scope = { input: { n: 2 }, nodes: { load: { output: [1, 2] } } };
    expect(evaluateExpression('nodes.load.output.map(x, x * input.n)', scope)).toEqual({
      ok: true,
      value: [2, 4],
    });
  });

  it('`evaluateExpression` returns the position of a syntax error', () => {
    expect(evaluateExpression('input.n +', {})).toMatchObject({
      ok: false,
      code: 'expression_syntax',
      position: 9,
    });
  });

  it('`evaluateExpression` returns the path and position of a missing field', () => {
    expect(evaluateExpression('1 + input.order.total', { input: { order: {} } })).toMatchObject({
      ok: false,
      code: 'expression_error',
      path: 'input.order.total',
      position: 4,
    });
  });

  it('`evaluateExpression` returns the name of an unknown variable', () => {
    expect(evaluateExpression('inputs.n', {})).toMatchObject({
      ok: false,
      code: 'unknown_name',
      position: 0,
    });
  });

  it('`evaluateExpression` returns an error if the expression exceeds the evaluation limits', () => {
    const list = Array.from({ length: 2_000 }, (_, index) => index);
    const evaluation = evaluateExpression('input.all(a, input.all(b, input.all(c, a + b + c >= 0)))', {
      input: list,
    });
    expect(evaluation).toMatchObject({ ok: false, code: 'expression_error' });
  });

  it('`evaluateExpression` does not give an expression access to data of the service', () => {
    expect(evaluateExpression('secrets', {})).toMatchObject({ ok: false });
    expect(evaluateExpression('secrets.TOKEN', {})).toMatchObject({ ok: false });
  });
});
