import { describe, expect, it } from 'vitest';
import { numberOf, parametersOf, textOf, valueOf } from './parameter-text.ts';

describe('parametersOf', () => {
  it('`parametersOf` selects an editor for each parameter by its schema', () => {
    const parameters = parametersOf({
      required: ['url'],
      properties: {
        url: { type: 'string', title: 'URL' },
        source: { type: 'string', 'x-literal': true },
        limit: { type: 'integer' },
        loud: { type: 'boolean' },
        method: { enum: ['GET'] },
        approval: { type: 'object', properties: { title: {} } },
        headers: { type: 'object' },
        body: {},
      },
    });
    expect(parameters.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'url text',
      'source literal',
      'limit number',
      'loud boolean',
      'method choice',
      'approval object',
      'headers value',
      'body value',
    ]);
    expect(parameters[0]).toMatchObject({ label: 'URL', required: true });
  });

  it('`parametersOf` omits the parameter `nodes` of a loop', () => {
    const schema = { properties: { items: {}, nodes: {} } };
    expect(parametersOf(schema, true).map(({ name }) => name)).toEqual(['items']);
    expect(parametersOf(schema)).toHaveLength(2);
  });
});

describe('textOf and valueOf', () => {
  it.each([
    ['Hello {{ input.name }}'],
    ['{{ input }}'],
    ['5'],
    [5],
    [true],
    [null],
    ['null'],
    ['"quoted"'],
    [{ a: ['{{ input.x }}', 1] }],
    [['a']],
    ['1 apple'],
  ])('the parameter value %j survives the conversion to text and back', (value) => {
    expect(valueOf(textOf(value))).toEqual({ value });
  });

  it('`valueOf` returns an error for invalid JSON', () => {
    expect(valueOf('{ "a": ')).toHaveProperty('error');
  });

  it('`valueOf` returns no value for an empty text', () => {
    expect(valueOf('  ')).toEqual({ value: undefined });
  });
});

it('`numberOf` returns text that is not a number unchanged', () => {
  expect(['7', '', '{{ input.n }}', 'many'].map(numberOf)).toEqual([7, undefined, '{{ input.n }}', 'many']);
});
