import { describe, expect, it } from 'vitest';
import type { Fault, Json, JsonObject } from '../../expressions/index.js';
import { compileInputSchema } from './input-schema.js';

function faultsOf(schema: JsonObject, input: Json): readonly Fault[] {
  const compiled = compileInputSchema(schema);
  if ('faults' in compiled) throw new Error(JSON.stringify(compiled.faults));
  return compiled.validate(input);
}

function refusalOf(schema: JsonObject): readonly Fault[] {
  const compiled = compileInputSchema(schema);
  if (!('faults' in compiled)) throw new Error('The schema was taken.');
  return compiled.faults;
}

const ORDER: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/order',
  type: 'object',
  required: ['customer'],
  properties: {
    customer: { $ref: '#/$defs/customer' },
    lines: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'object', properties: { sku: { pattern: '^[A-Z]{2}-\\d+$' } } },
    },
  },
  additionalProperties: false,
  $defs: {
    customer: {
      type: 'object',
      required: ['email'],
      properties: {
        email: { type: 'string', format: 'email', example: 'a@example.com' },
        age: { type: ['integer', 'null'], minimum: 0 },
      },
    },
  },
};

describe('compileInputSchema', () => {
  it('an input schema accepts a valid input', () => {
    expect(
      faultsOf(ORDER, {
        customer: { email: 'a@example.com', age: null },
        lines: [{ sku: 'AB-1' }, { sku: 'AB-2' }],
      }),
    ).toEqual([]);
  });

  it.each<[string, Json, string, string]>([
    ['a missing field', { customer: {} }, 'input.customer.email', 'required'],
    ['a wrong format', { customer: { email: 'nobody' } }, 'input.customer.email', 'format'],
    ['a wrong type', { customer: { email: 'a@example.com', age: 'old' } }, 'input.customer.age', 'type'],
    [
      'a number out of range',
      { customer: { email: 'a@example.com', age: -1 } },
      'input.customer.age',
      'range',
    ],
    ['an unknown field', { customer: { email: 'a@example.com' }, extra: 1 }, 'input.extra', 'unknown_field'],
    [
      'a pattern',
      { customer: { email: 'a@example.com' }, lines: [{}, { sku: 'x' }] },
      'input.lines[1].sku',
      'pattern',
    ],
    [
      'a repeated item',
      {
        customer: { email: 'a@example.com' },
        lines: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      'input.lines',
      'unique',
    ],
    ['an unknown schema vocabulary', [], 'input', 'type'],
  ])('an input schema reports the path of %s', (_, input, path, code) => {
    expect(faultsOf(ORDER, input)).toMatchObject([{ path, code }]);
  });

  it('an input schema reports all errors of an input together', () => {
    expect(faultsOf(ORDER, { customer: { age: 1.5 }, x: 1, y: 2 }).map(({ path }) => path)).toEqual([
      'input.x',
      'input.y',
      'input.customer.email',
      'input.customer.age',
    ]);
  });

  it('an input schema checks each property against its own pattern', () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(faultsOf(schema, { a: 'a', b: 'b' })).toEqual([]);
    expect(faultsOf(schema, { a: 'b', b: 'b' })).toMatchObject([{ path: 'input.a' }]);
  });

  it('an input schema may use draft-07, in which `items` can be a list', () => {
    const schema: JsonObject = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }, { type: 'number' }],
    };
    expect(faultsOf(schema, ['a', 'b'])).toMatchObject([{ path: 'input[1]', code: 'type' }]);
  });

  it('an input schema treats names from `Object.prototype` as normal names', () => {
    expect(faultsOf({ required: ['constructor', 'toString'] }, { toString: 1 })).toMatchObject([
      { path: 'input.constructor' },
    ]);
  });

  it.each<[string, JsonObject, string, string]>([
    [
      'another dialect',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      'input_schema.$schema',
      'unsupported_dialect',
    ],
    [
      'a remote reference',
      { properties: { a: { $ref: 'http://127.0.0.1/x' } } },
      'input_schema.properties.a.$ref',
      'unknown_reference',
    ],
    [
      'a reference into data',
      { examples: [{ pattern: '(a+)+$' }], $ref: '#/examples/0' },
      'input_schema.$ref',
      'unknown_reference',
    ],
    [
      'a dangling reference',
      { allOf: [{ $ref: '#/$defs/none' }] },
      'input_schema.allOf[0].$ref',
      'unknown_reference',
    ],
    ['a dynamic reference', { $dynamicRef: '#x' }, 'input_schema.$dynamicRef', 'unsupported_keyword'],
    ['an asynchronous schema', { $async: true }, 'input_schema.$async', 'unsupported_keyword'],
    [
      'a look-around',
      { properties: { a: { pattern: '(?=a)' } } },
      'input_schema.properties.a.pattern',
      'unsupported_pattern',
    ],
    ['a broken pattern', { pattern: '(' }, 'input_schema.pattern', 'unsupported_pattern'],
    [
      'a back-reference as a name',
      { patternProperties: { '(a)\\1': {} } },
      'input_schema.patternProperties.(a)\\1',
      'unsupported_pattern',
    ],
    ['a type that does not exist', { type: 'text' }, 'input_schema', 'invalid_schema'],
    ['a number for a list', { required: 3 }, 'input_schema', 'invalid_schema'],
    ['null for a map', { properties: null }, 'input_schema', 'invalid_schema'],
    ['too many bytes', { title: 'x'.repeat(70_000) }, 'input_schema', 'schema_too_large'],
    [
      'too many sub-schemas',
      { allOf: Array.from({ length: 1001 }, () => ({})) },
      'input_schema.allOf[999]',
      'schema_too_large',
    ],
    [
      'too deeply nested schemas',
      Array.from({ length: 40 }).reduce<JsonObject>((inner) => ({ not: inner }), {}),
      `input_schema${'.not'.repeat(33)}`,
      'schema_too_large',
    ],
  ])('an input schema with %s is rejected', (_, schema, path, code) => {
    expect(refusalOf(schema)).toMatchObject([{ path, code }]);
  });

  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  const NUMBERS = Array.from({ length: 150_000 }, (_, i) => i);
  it.each<[string, JsonObject, Json]>([
    ['references that grow exponentially', { $ref: '#/$defs/d0', $defs: { ...doubling, d60: {} } }, {}],
    ['a self-reference', { $ref: '#' }, {}],
    [
      'a recursion that doubles at each level',
      { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      nested(40),
    ],
    ['comparisons of long lists', { items: { enum: NUMBERS.slice(0, 9000) } }, NUMBERS.map(() => 8999)],
    [
      'many patterns on a long text',
      { allOf: Array.from({ length: 200 }, () => ({ minLength: 1 })) },
      'x'.repeat(1_000_000),
    ],
    [
      'repeated uniqueness checks of long lists',
      { allOf: Array.from({ length: 200 }, () => ({ uniqueItems: true })) },
      NUMBERS,
    ],
    ['a URL with many colons', { format: 'url' }, `http://${':'.repeat(20_000)}`],
    ['a pattern with many states on a long text', { pattern: '(a?){400}b' }, 'a'.repeat(100_000)],
  ])('validation of an input stops at its work budget for %s', (_, schema, input) => {
    expect(faultsOf(schema, input)).toMatchObject([{ path: 'input', code: 'too_complex' }]);
  });

  it('the format "url" of an input schema accepts many long URLs, and no URL with a space', () => {
    const schema = { type: 'array', items: { format: 'url' } };
    const url = `https://user:secret@example.com:8443/${'path/'.repeat(200)}?time=12:30`;
    expect(
      faultsOf(
        schema,
        Array.from({ length: 500 }, () => url),
      ),
    ).toEqual([]);
    expect(faultsOf(schema, [`${url} `])).toMatchObject([{ path: 'input[0]', code: 'format' }]);
  });

  it('an input schema accepts a long list of distinct items', () => {
    expect(faultsOf({ type: 'array', items: { type: 'integer' }, uniqueItems: true }, NUMBERS)).toEqual([]);
  });
});

function nested(depth: number): Json {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}
