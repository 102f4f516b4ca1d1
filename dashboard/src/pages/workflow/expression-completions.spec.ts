import { describe, expect, it } from 'vitest';
import { expressionCompletions, type ExpressionContext, expressionsIn } from './expression-completions.ts';

const CONTEXT: ExpressionContext = {
  inputSchema: {
    properties: { order: { properties: { id: { type: 'string' } } }, amount: { type: 'number' } },
  },
  nodes: [
    { id: 'load', type: 'http', outputSchema: { properties: { status: { type: 'integer' }, body: {} } } },
    { id: 'greet', type: 'set', outputSchema: {} },
  ],
  secrets: ['API_TOKEN'],
  isInLoop: false,
  last: {
    input: { amount: 42 },
    nodes: { load: { status: 'completed', output: { status: 200, body: { name: 'Ada', 'two words': 1 } } } },
  },
};
const labels = (before: string, context = CONTEXT) =>
  expressionCompletions(before, context).options.map(({ label }) => label);
const properties = (before: string) =>
  expressionCompletions(before, CONTEXT)
    .options.filter(({ kind }) => kind === 'property')
    .map(({ label, detail }) => [label, detail]);

describe('expressionCompletions', () => {
  it('the expression editor offers global variables and functions at the start of a word', () => {
    expect(labels('1 + ')).toEqual(expect.arrayContaining(['input', 'nodes', 'secrets', 'size']));
    expect(labels('')).not.toContain('item');
    expect(labels('', { ...CONTEXT, isInLoop: true })).toContain('item');
  });

  it('the expression editor offers the fields of the input with their values in the last execution', () => {
    expect(properties('input.')).toEqual([
      ['order', ''],
      ['amount', '42'],
    ]);
    expect(properties('input.order.')).toEqual([['id', 'string']]);
  });

  it('the expression editor offers nodes, their properties and the fields of their outputs', () => {
    expect(properties('nodes.')).toEqual([
      ['load', 'http'],
      ['greet', 'set'],
    ]);
    expect(properties('nodes.load.').map(([label]) => label)).toEqual(['output', 'status', 'error']);
    expect(properties('size(nodes.load.output.')).toEqual([
      ['status', '200'],
      ['body', '{"name":"Ada","two words":1}'],
    ]);
    expect(properties('nodes["load"].output.body.')).toEqual([['name', '"Ada"']]);
  });

  it('the expression editor offers the names of secrets after `secrets.`', () => {
    expect(properties('secrets.')).toEqual([['API_TOKEN', 'secret']]);
  });

  it('the expression editor offers the methods of a value and the functions of a namespace', () => {
    expect(labels('input.amount.')).toContain('startsWith');
    expect(labels('nodes.')).not.toContain('startsWith');
    expect(labels('math.')).toContain('floor');
  });

  it('a completion in the expression editor replaces the whole word at the cursor', () => {
    expect(expressionCompletions('input.am', CONTEXT).from).toBe('input.'.length);
    expect(expressionCompletions('nodes.load.output.?bo', CONTEXT).from).toBe('nodes.load.output.?'.length);
  });
});

it('`expressionsIn` finds expressions in `{{ }}`, even if the closing braces are missing', () => {
  const text = 'Hi {{ a }}, {{ b';
  expect(expressionsIn(text).map(({ from, to }) => text.slice(from, to))).toEqual([' a ', ' b']);
});
