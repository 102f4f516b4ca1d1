import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileExpression, type JsonObject } from '../../src/expressions/index.js';
import { FUNCTIONS, METHODS } from '../../src/expressions/functions.js';

const page = readFileSync('docs/expressions.md', 'utf8');
const scope = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '') as JsonObject;

/** Returns the expressions and results of all tables whose second column has the given title. */
function rowsUnder(column: string): readonly (readonly [expression: string, result: string])[] {
  const tables = page
    .split(/\n\n/)
    .filter((part) => new RegExp(`^\\| expression +\\| ${column} `).test(part));
  return tables.flatMap((table) =>
    [...table.matchAll(/^\| `([^\n]*?)` +\| `([^\n]*)` +\|$/gm)].map(
      ([, expression = '', result = '']) =>
        [expression.replaceAll('\\|', '|'), result.replaceAll('\\|', '|')] as const,
    ),
  );
}

const evaluated = (expression: string): unknown =>
  compileExpression(expression, ['input', 'nodes']).evaluate(scope);

const examples = rowsUnder('result');
const refused = rowsUnder('error');

it.each(examples)('the documented expression %s evaluates to %s', (expression, result) => {
  expect(evaluated(expression)).toEqual(JSON.parse(result));
});

it.each(refused)('the documented expression %s fails with an error that contains %s', (expression, told) => {
  expect(() => evaluated(expression)).toThrow(told);
});

it('docs/expressions.md has an example of every function and method', () => {
  expect(examples.length).toBeGreaterThan(60);
  expect(refused.length).toBeGreaterThan(2);
  const text = examples.map(([expression]) => expression).join('\n');
  const missing = [
    ...[...FUNCTIONS.keys()].filter((name) => !text.includes(`${name}(`)),
    ...[...METHODS.keys()].filter((name) => !text.includes(`.${name}(`)),
  ];
  expect(missing).toEqual([]);
});
