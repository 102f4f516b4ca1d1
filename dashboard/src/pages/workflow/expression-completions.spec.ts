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
  it('completion offers roots and functions at the start of a word', () => {
    expect(labels('1 + ')).toEqual(expect.arrayContaining(['input', 'nodes', 'secrets', 'size']));
    expect(labels('')).not.toContain('item');
    expect(labels('', { ...CONTEXT, isInLoop: true })).toContain('item');
  });

  it('completion offers fields of the input schema with values of the last execution', () => {
    expect(properties('input.')).toEqual([
      ['order', ''],
      ['amount', '42'],
    ]);
    expect(properties('input.order.')).toEqual([['id', 'string']]);
  });

  it('completion offers nodes, their properties and the fields of their outputs', () => {
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

  it('completion offers the names of secrets', () => {
    expect(properties('secrets.')).toEqual([['API_TOKEN', 'secret']]);
  });

  it('completion offers methods of a value and functions of a namespace', () => {
    expect(labels('input.amount.')).toContain('startsWith');
    expect(labels('nodes.')).not.toContain('startsWith');
    expect(labels('math.')).toContain('floor');
  });

  it('completion replaces the whole current word', () => {
    expect(expressionCompletions('input.am', CONTEXT).from).toBe('input.'.length);
    expect(expressionCompletions('nodes.load.output.?bo', CONTEXT).from).toBe('nodes.load.output.?'.length);
  });
});

it('`expressionsIn` finds closed and unclosed expressions', () => {
  const text = 'Hi {{ a }}, {{ b';
  expect(expressionsIn(text).map(({ from, to }) => text.slice(from, to))).toEqual([' a ', ' b']);
});
