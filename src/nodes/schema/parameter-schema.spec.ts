import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../expressions/index.js';
import { compileParameterSchema } from './parameter-schema.js';

const checks = compileParameterSchema({
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: { type: 'string', format: 'uri', maxLength: 30 },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    mode: { enum: ['fast', 'safe'] },
    tag: { type: 'string', pattern: '^[a-z]+$' },
    range: {
      type: 'object',
      properties: { from: { type: 'number' }, to: { type: 'number' }, span: { type: 'number' } },
      oneOf: [{ required: ['from', 'to'] }, { required: ['span'] }],
    },
    steps: {
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          { title: 'a status code', type: 'integer' },
          { title: 'a class of codes', $ref: '#/$defs/class' },
        ],
      },
    },
    rule: {
      type: 'object',
      if: { properties: { kind: { const: 'word' } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { of: { type: 'string' } } },
      else: { properties: { of: { type: 'number' } } },
    },
    names: { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
  },
  $defs: { class: { type: 'string', pattern: '^[1-5]xx$' } },
});

function faults(parameters: JsonObject): readonly string[] {
  return checks
    .checkDefinition({ url: 'https://a.b', ...parameters }, 'nodes[2].with')
    .map(({ path, code }) => `${path} ${code}`);
}

describe('checkDefinition with literals', () => {
  it('`checkDefinition` treats braces in an `x-literal` parameter as text, not as an expression', () => {
    const { checkDefinition } = compileParameterSchema({
      type: 'object',
      properties: {
        program: { type: 'object', 'x-literal': true },
        text: { type: 'string', maxLength: 5, 'x-literal': true },
      },
    });
    expect(
      checkDefinition({ program: '{{ input }}', text: '{{ input }}' }, 'with').map(
        ({ path, code }) => `${path} ${code}`,
      ),
    ).toEqual(['with.program type', 'with.text length']);
  });

  it('a parameter schema is rejected if its `x-literal` is not a boolean', () => {
    const schema = { type: 'object', properties: { program: { 'x-literal': 'yes' } } };
    expect(() => compileParameterSchema(schema)).toThrow('x-literal');
  });
});

describe('checkDefinition', () => {
  it.each<[string, JsonObject, string]>([
    ['a wrong type', { count: 'many' }, 'nodes[2].with.count type'],
    ['a number out of range', { count: 11 }, 'nodes[2].with.count range'],
    ['a value that is not in the enum', { mode: 'slow' }, 'nodes[2].with.mode enum'],
    ['an invalid format', { url: 'not a url' }, 'nodes[2].with.url format'],
    ['a text that is too long', { url: `https://a.b/${'x'.repeat(30)}` }, 'nodes[2].with.url length'],
    ['a pattern', { tag: 'A' }, 'nodes[2].with.tag pattern'],
    ['an unknown field', { uri: 1 }, 'nodes[2].with.uri unknown_field'],
    ['an empty list', { steps: [] }, 'nodes[2].with.steps length'],
    ['an item that matches no alternative', { steps: [200, 'oops'] }, 'nodes[2].with.steps[1] no_match'],
    [
      'fields that exclude each other',
      { range: { from: 1, to: 2, span: '{{ input.s }}' } },
      'nodes[2].with.range no_match',
    ],
    ['a missing field of a group', { range: { from: '{{ input.f }}' } }, 'nodes[2].with.range no_match'],
    ['a field that an `if` requires', { rule: { kind: 'word', of: 1 } }, 'nodes[2].with.rule.of type'],
    ['an invalid property name', { names: { 'A-1': 1 } }, 'nodes[2].with.names.A-1 field_name'],
    [
      'text around an expression where a number is required',
      { count: '{{ input.n }} items' },
      'nodes[2].with.count type',
    ],
  ])('the parameter check reports the path of %s in the parameters', (_, parameters, fault) => {
    expect(faults(parameters)).toEqual([fault]);
  });

  it('the parameter check reports missing required fields if a node has no parameters', () => {
    expect(checks.checkDefinition(undefined, 'nodes[0].with')).toEqual([
      { path: 'nodes[0].with.url', code: 'required', message: 'Is required.' },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['a number', { count: '{{ input.n }}' }],
    ['a number, with white space around', { count: '  {{ input.n }}\n' }],
    ['a whole object', { range: '{{ input.range }}' }],
    ['a whole list', { steps: '{{ input.steps }}' }],
    ['a value of an enum', { mode: 'f{{ input.ast }}' }],
    ['a part of a URL', { url: '{{ input.host }}/and a path that is longer than that' }],
    ['a part of a patterned text', { tag: 'a{{ input.a }}' }],
    ['one of several alternatives', { steps: ['{{ input.a }}', '{{ input.b }}xx'] }],
    ['the field that an `if` reads', { rule: { kind: '{{ input.kind }}', of: 'text' } }],
  ])('the parameter check accepts an expression for %s when a workflow is saved', (_, parameters) => {
    expect(faults(parameters)).toEqual([]);
  });

  it('the parameter check reports invalid constant values even if other values are expressions', () => {
    expect(faults({ count: '{{ input.n }}', mode: 'slow', steps: ['{{ input.a }}', true] })).toEqual([
      'nodes[2].with.mode enum',
      'nodes[2].with.steps[1] no_match',
    ]);
  });
});

describe('parameter check before an attempt', () => {
  it.each<[string, Json, string]>([
    ['count', '{{ input.n }}', 'with.count'],
    ['mode', '{{ input.mode }}', 'with.mode'],
    ['tag', '{{ input.tag }}', 'with.tag'],
    ['steps', ['{{ input.step }}'], 'with.steps[0]'],
  ])(
    'the parameter check before an attempt treats braces in the parameter %s as text, not as an expression',
    (name, value, path) => {
      expect(checks.check({ url: 'https://a.b', [name]: value })).toMatchObject([{ path }]);
    },
  );

  it('the messages of the parameter check name the allowed type, values or fields', () => {
    const messages = checks
      .check({ url: 'https://a.b', count: 'x', mode: 1, steps: ['9xx'], range: {}, other: 1 })
      .map(({ path, message }) => `${path}: ${message}`);
    expect(messages.sort()).toEqual([
      'with.count: Must be an integer, not a string.',
      'with.mode: Must be one of "fast", "safe".',
      'with.other: Is not a known field. Known fields: url, count, mode, tag, range, steps, rule, names.',
      'with.range: Must have exactly one of these fields: from, to, span.',
      'with.steps[0]: Must be one of these: a status code; a class of codes.',
    ]);
  });
});
