import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../expressions/index.js';
import { schemaEvaluator } from './schema-evaluator.js';
import type { SchemaError } from './schema-error.js';

const ajv = new Ajv2020({ allErrors: true, verbose: true, ownProperties: true, strict: false });
addFormats.default(ajv);

const line = ({ keyword, instancePath, schemaPath, params }: SchemaError): string => {
  const { missingProperty, additionalProperty, propertyName, limit } = params;
  return [
    instancePath,
    schemaPath,
    keyword,
    missingProperty ?? additionalProperty ?? propertyName ?? limit ?? '',
  ].join(' ');
};

function errorsOf(schema: JsonObject, value: Json): { readonly found: unknown; readonly expected: unknown } {
  const validate = ajv.compile(schema);
  validate(value);
  return {
    found: schemaEvaluator(schema)?.(value).map(line).sort(),
    expected: ((validate.errors ?? []) as readonly SchemaError[]).map(line).sort(),
  };
}

const LEAVES: readonly JsonObject[] = [
  {},
  { type: 'string' },
  { type: ['integer', 'null'] },
  { type: 'boolean' },
  { enum: ['a', 1, { b: [1] }] },
  { const: [1, 2] },
  { minimum: 1, maximum: 3 },
  { exclusiveMinimum: 1, exclusiveMaximum: 3 },
  { minLength: 2, maxLength: 3 },
  { pattern: '^a' },
  { format: 'date-time' },
  { format: 'uuid' },
  { format: 'uri' },
  { minItems: 1, maxItems: 2, uniqueItems: true },
  { minProperties: 1, maxProperties: 1 },
  { required: ['a', 'b'] },
  { dependentRequired: { a: ['b'] } },
];

const { schema: schemas } = fc.letrec<{ schema: JsonObject; leaf: JsonObject }>((tie) => ({
  leaf: fc.constantFrom(...LEAVES),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('schema').map((not) => ({ not })),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('schema').map((propertyNames) => ({ propertyNames })),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([a, b]) => ({ properties: { a, b }, additionalProperties: false })),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([a, rest]) => ({ properties: { a }, additionalProperties: rest })),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('schema'), tie('schema')).map((oneOf) => ({ oneOf })),
    fc.tuple(tie('schema'), tie('schema')).map((allOf) => ({ allOf })),
    fc
      .tuple(tie('schema'), tie('schema'))
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      .map(([when, then]) => ({ if: when, then, else: { type: 'string' } })),
  ),
}));

const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(
      null, true, 0, 1, 2.5, 3, '', 'a', 'abc', '💚💚', '2026-01-02T03:04:05Z', 'https://a.example',
      '0199a8c0-5b5e-77e8-abe9-0000c0ffee01', [1, 2], { b: [1] },
    ), // prettier-ignore
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c/d~'), tie('value'), { noNullPrototype: true }),
  ),
}));

describe('schemaEvaluator', () => {
  it('`schemaEvaluator` reports the errors that ajv reports for a schema and a value', () => {
    const property = fc.property(schemas, values, (schema, value) => {
      const { found, expected } = errorsOf(schema, value);
      expect(found).toEqual(expected);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it.each([
    ['$ref', { $ref: '#/$defs/a' }],
    ['a keyword in a property', { properties: { a: { unevaluatedProperties: false } } }],
    ['a keyword in a branch', { anyOf: [{ contains: {} }] }],
    ['an unknown format', { format: 'color' }],
    ['a name of Object.prototype', { constructor: {} }],
  ])('schemaEvaluator returns null for %s, which is not supported', (_, schema) => {
    expect(schemaEvaluator(schema as unknown as JsonObject)).toBeNull();
  });
});
