import { validateSync } from 'class-validator';
import { expect, it } from 'vitest';
import {
  Choice,
  Id,
  Instant,
  Integer,
  Nested,
  OptionalBoolean,
  OptionalChoice,
  OptionalId,
  OptionalInstant,
  OptionalInteger,
  OptionalNested,
  OptionalObject,
  OptionalText,
  Text,
} from './request-fields.js';

class Inner {
  @Integer()
  count: unknown;
}

const ID = '0199a8c0-2222-7abc-8def-0123456789ab';
const COLORS = ['red', 'green'] as const;

/** Returns the names of the rules that a value breaks in a class with one field. */
function brokenRules(field: PropertyDecorator, value: unknown): readonly string[] {
  class Body {
    value: unknown;
  }
  field(Body.prototype, 'value');
  const [error] = validateSync(Object.assign(new Body(), { value }), { forbidUnknownValues: false });
  const nested = (error?.children ?? []).flatMap((child) => Object.keys(child.constraints ?? {}));
  return [...Object.keys(error?.constraints ?? {}), ...nested];
}

/** Returns what the decorator of a field adds to the OpenAPI document. */
function documented(field: PropertyDecorator): unknown {
  class Body {
    value: unknown;
  }
  field(Body.prototype, 'value');
  return Reflect.getMetadata('swagger/apiModelProperties', Body.prototype, 'value') as unknown;
}

it.each([
  ['Text', Text(), 'text', 1, ['isString']],
  ['Text with maxLength', Text({ maxLength: 3 }), '', 'four', ['maxLength']],
  ['Text with both lengths', Text({ minLength: 1, maxLength: 3 }), 'abc', '', ['isLength']],
  ['Integer', Integer(), 1, 1.5, ['isInt']],
  ['Integer with minimum', Integer({ minimum: 2 }), 2, 1, ['min']],
  ['Integer with maximum', Integer({ maximum: 2 }), 2, 3, ['max']],
  ['Choice', Choice({ enum: COLORS }), 'red', 'blue', ['isIn']],
  ['Id', Id(), ID, 'x', ['isUuid']],
  ['Instant', Instant(), '2026-11-21T10:00:00Z', '2026-11-21', ['isRFC3339']],
  ['Instant', Instant(), '9999-12-31T23:59:59Z', '9999-12-31T23:59:59-05:00', ['isInYears']],
  ['Instant', Instant(), '1970-01-01T00:00:00Z', '1970-01-01T00:00:00+01:00', ['isInYears']],
  ['Nested', Nested(() => Inner), Object.assign(new Inner(), { count: 1 }), new Inner(), ['isInt']],
])('%s accepts a valid value and reports the broken rule', (_, field, valid, invalid, rules) => {
  expect(brokenRules(field, valid)).toEqual([]);
  expect(brokenRules(field, invalid)).toEqual(rules);
  expect(brokenRules(field, undefined)).not.toEqual([]);
});

it.each([
  ['OptionalText', OptionalText({ maxLength: 3 }), 'four', ['maxLength']],
  ['OptionalInteger', OptionalInteger({ minimum: 2 }), 1, ['min']],
  ['OptionalChoice', OptionalChoice({ enum: COLORS }), 'blue', ['isIn']],
  ['OptionalId', OptionalId(), 'x', ['isUuid']],
  ['OptionalInstant', OptionalInstant(), '2026-11-21', ['isRFC3339']],
  ['OptionalNested', OptionalNested(() => Inner), new Inner(), ['isInt']],
  ['OptionalBoolean', OptionalBoolean(), 'true', ['isBoolean']],
  ['OptionalObject', OptionalObject(), [], ['isObject']],
])('%s accepts an omitted value and reports the broken rule', (_, field, invalid, rules) => {
  expect(brokenRules(field, undefined)).toEqual([]);
  expect(brokenRules(field, invalid)).toEqual(rules);
});

it('the decorator `Instant` reports `isRFC3339` before `isIso8601` for a text that is no time', () => {
  expect(brokenRules(Instant(), 'soon')).toEqual(['isRFC3339', 'isIso8601']);
});

it('the decorator of a field documents its options in OpenAPI, and whether the field is required', () => {
  expect(documented(Text({ maxLength: 3, example: 'abc' }))).toMatchObject({
    type: 'string',
    maxLength: 3,
    example: 'abc',
  });
  expect(documented(OptionalInteger({ minimum: 2, nullable: true }))).toMatchObject({
    type: 'integer',
    minimum: 2,
    nullable: true,
    required: false,
  });
  expect(documented(Choice({ enum: COLORS }))).toMatchObject({ type: 'string', enum: COLORS });
  expect(documented(OptionalObject())).toMatchObject({ type: 'object', additionalProperties: true });
});

it('the decorator `Nested` documents its class with a function named `type`', () => {
  const { type } = documented(Nested(() => Inner)) as { readonly type: () => unknown };
  expect(type.name).toBe('type');
  expect(type()).toBe(Inner);
});
