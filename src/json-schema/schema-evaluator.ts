import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json, JsonObject } from '../expressions/index.js';
import type { SchemaError } from './schema-error.js';

type Evaluate = (value: Json) => readonly SchemaError[];

/** A part of the schema and the value to which it applies, with their JSON pointers. */
interface Site {
  readonly schema: JsonObject;
  readonly schemaPath: string;
  readonly value: Json;
  readonly valuePath: string;
  readonly errors: SchemaError[];
}

/**
 * Evaluates a JSON Schema (draft 2020-12). Reports the same errors as ajv with `allErrors`, but possibly in another
 * order. Generates no code, because the content security policy of the dashboard forbids generated code.
 *
 * @returns null for a schema with a keyword or format that only ajv supports
 */
export function schemaEvaluator(schema: JsonObject): Evaluate | null {
  if (!isSupported(schema)) return null;
  return (value) => errorsAt(schema, '#', value, '');
}

const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
]);
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const ANNOTATIONS: ReadonlySet<string> = new Set(
  '$comment $schema contentEncoding contentMediaType default deprecated description examples readOnly title writeOnly x-literal'.split(
    ' ',
  ),
);

function isSupported(schema: Json | undefined): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([keyword, operand]) => {
    if (keyword === 'format') return typeof operand === 'string' && isTextFormat(operand);
    if (keyword === 'properties') return isObject(operand) && Object.values(operand).every(isSupported);
    if (SCHEMAS.has(keyword)) return isSupported(operand);
    if (SCHEMA_LISTS.has(keyword)) return Array.isArray(operand) && operand.every(isSupported);
    return ANNOTATIONS.has(keyword) || Object.hasOwn(KEYWORDS, keyword);
  });
}

function errorsAt(
  schema: Json | undefined,
  schemaPath: string,
  value: Json,
  valuePath: string,
): readonly SchemaError[] {
  if (!isObject(schema)) {
    const error = {
      keyword: 'false schema',
      instancePath: valuePath,
      schemaPath: `${schemaPath}/false schema`,
    };
    return schema === false ? [{ ...error, params: {}, message: 'boolean schema is false' }] : [];
  }
  const errors: SchemaError[] = [];
  for (const keyword of Object.keys(schema))
    KEYWORDS[keyword]?.({ schema, schemaPath, value, valuePath, errors }, schema[keyword] as Json);
  return errors;
}

const KEYWORDS: Readonly<Record<string, (site: Site, operand: Json) => void>> = {
  type: (site, type) => {
    const types = Array.isArray(type) ? (type as readonly string[]) : [type as string];
    if (!types.some((each) => isOfType(site.value, each))) report(site, 'type', { type });
  },
  enum: (site, allowedValues) => {
    if (!(allowedValues as readonly Json[]).some((allowed) => isEqual(allowed, site.value)))
      report(site, 'enum', { allowedValues });
  },
  const: (site, allowedValue) => {
    if (!isEqual(allowedValue, site.value)) report(site, 'const', { allowedValue });
  },
  minimum: limit('minimum', sizeOfNumber, (size, bound) => size >= bound),
  maximum: limit('maximum', sizeOfNumber, (size, bound) => size <= bound),
  exclusiveMinimum: limit('exclusiveMinimum', sizeOfNumber, (size, bound) => size > bound),
  exclusiveMaximum: limit('exclusiveMaximum', sizeOfNumber, (size, bound) => size < bound),
  minLength: limit('minLength', sizeOfText, (size, bound) => size >= bound),
  maxLength: limit('maxLength', sizeOfText, (size, bound) => size <= bound),
  minItems: limit('minItems', sizeOfList, (size, bound) => size >= bound),
  maxItems: limit('maxItems', sizeOfList, (size, bound) => size <= bound),
  minProperties: limit('minProperties', sizeOfObject, (size, bound) => size >= bound),
  maxProperties: limit('maxProperties', sizeOfObject, (size, bound) => size <= bound),
  pattern: (site, pattern) => {
    if (typeof site.value === 'string' && !new RegExp(pattern as string, 'u').test(site.value))
      report(site, 'pattern', { pattern });
  },
  format: (site, format) => {
    if (typeof site.value === 'string' && !hasFormat(site.value, format as string))
      report(site, 'format', { format });
  },
  uniqueItems: (site, isWanted) => {
    const { value } = site;
    if (isWanted !== true || !Array.isArray(value)) return;
    const list = value as readonly Json[];
    if (list.some((item, index) => list.slice(0, index).some((other) => isEqual(item, other))))
      report(site, 'uniqueItems', {});
  },
  required: (site, names) => {
    if (!isObject(site.value)) return;
    for (const missingProperty of names as readonly string[])
      if (!Object.hasOwn(site.value, missingProperty)) report(site, 'required', { missingProperty });
  },
  dependentRequired: (site, dependencies) => {
    if (!isObject(site.value)) return;
    for (const [property, names] of Object.entries(
      dependencies as Readonly<Record<string, readonly string[]>>,
    ))
      for (const missingProperty of Object.hasOwn(site.value, property) ? names : [])
        if (!Object.hasOwn(site.value, missingProperty))
          report(site, 'dependentRequired', { property, missingProperty });
  },
  properties: (site, properties) => {
    if (!isObject(site.value)) return;
    for (const [name, property] of Object.entries(properties as JsonObject))
      if (Object.hasOwn(site.value, name))
        site.errors.push(...childErrors(site, property, `properties/${escaped(name)}`, name));
  },
  additionalProperties: (site, schema) => {
    if (!isObject(site.value)) return;
    for (const name of Object.keys(site.value)) {
      if (Object.hasOwn((site.schema['properties'] ?? {}) as JsonObject, name)) continue;
      if (schema === false) report(site, 'additionalProperties', { additionalProperty: name });
      else site.errors.push(...childErrors(site, schema, 'additionalProperties', name));
    }
  },
  propertyNames: (site, schema) => {
    if (!isObject(site.value)) return;
    for (const propertyName of Object.keys(site.value)) {
      const errors = errorsAt(schema, `${site.schemaPath}/propertyNames`, propertyName, site.valuePath);
      if (errors.length > 0) report(site, 'propertyNames', { propertyName }, errors);
    }
  },
  items: (site, schema) => {
    if (!Array.isArray(site.value)) return;
    for (const index of site.value.keys()) site.errors.push(...childErrors(site, schema, 'items', index));
  },
  allOf: (site, schemas) => site.errors.push(...branchesOf(site, 'allOf', schemas).flat()),
  anyOf: (site, schemas) => {
    const branches = branchesOf(site, 'anyOf', schemas);
    if (branches.every(({ length }) => length > 0)) report(site, 'anyOf', {}, branches.flat());
  },
  oneOf: (site, schemas) => {
    const branches = branchesOf(site, 'oneOf', schemas);
    if (branches.filter(({ length }) => length === 0).length !== 1)
      report(site, 'oneOf', {}, branches.flat());
  },
  not: (site, schema) => {
    if (errorsAt(schema, `${site.schemaPath}/not`, site.value, site.valuePath).length === 0)
      report(site, 'not', {});
  },
  if: (site, condition) => {
    const isMet = errorsAt(condition, `${site.schemaPath}/if`, site.value, site.valuePath).length === 0;
    const failingKeyword = isMet ? 'then' : 'else';
    const schema = site.schema[failingKeyword] ?? true;
    const errors = errorsAt(schema, `${site.schemaPath}/${failingKeyword}`, site.value, site.valuePath);
    if (errors.length > 0) report(site, 'if', { failingKeyword }, errors);
  },
};

/** @param causes errors of sub-schemas, which come before the error that summarizes them */
function report(
  { schema, schemaPath, valuePath, errors }: Site,
  keyword: string,
  params: SchemaError['params'],
  causes: readonly SchemaError[] = [],
): void {
  errors.push(...causes, {
    keyword,
    instancePath: valuePath,
    schemaPath: `${schemaPath}/${keyword}`,
    params,
    ...(keyword === 'not' ? { message: 'must NOT be valid' } : {}),
    schema: schema[keyword],
    parentSchema: schema,
  });
}

function limit(
  keyword: string,
  sizeOf: (value: Json) => number | null,
  isWithin: (size: number, bound: number) => boolean,
): (site: Site, operand: Json) => void {
  return (site, bound) => {
    const size = sizeOf(site.value);
    if (size !== null && !isWithin(size, Number(bound))) report(site, keyword, { limit: bound });
  };
}

function sizeOfNumber(value: Json): number | null {
  return typeof value === 'number' ? value : null;
}

/** Length of a string in code points. */
function sizeOfText(value: Json): number | null {
  return typeof value === 'string' ? Array.from(value).length : null;
}

function sizeOfList(value: Json): number | null {
  return Array.isArray(value) ? value.length : null;
}

function sizeOfObject(value: Json): number | null {
  return isObject(value) ? Object.keys(value).length : null;
}

function branchesOf(
  { schemaPath, value, valuePath }: Site,
  keyword: string,
  schemas: Json,
): readonly (readonly SchemaError[])[] {
  return (schemas as readonly Json[]).map((schema, index) =>
    errorsAt(schema, `${schemaPath}/${keyword}/${index}`, value, valuePath),
  );
}

function childErrors(
  { schemaPath, value, valuePath }: Site,
  schema: Json | undefined,
  place: string,
  key: string | number,
): readonly SchemaError[] {
  const child = (value as Readonly<Record<string | number, Json>>)[key] as Json;
  return errorsAt(schema, `${schemaPath}/${place}`, child, `${valuePath}/${escaped(String(key))}`);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isTextFormat(name: string): name is keyof typeof fullFormats {
  if (!Object.hasOwn(fullFormats, name)) return false;
  const format = fullFormats[name as keyof typeof fullFormats];
  return typeof format !== 'object' || format instanceof RegExp || format.type !== 'number';
}

function hasFormat(text: string, name: string): boolean {
  if (!isTextFormat(name)) return true;
  const format = fullFormats[name];
  if (typeof format === 'boolean') return format;
  const check = typeof format === 'object' && !(format instanceof RegExp) ? format.validate : format;
  if (check instanceof RegExp) return check.test(text);
  return typeof check !== 'function' || (check as (text: string) => boolean)(text);
}

function isEqual(a: Json, b: Json): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [mine, other] = [a as JsonObject, b as JsonObject];
  const keys = Object.keys(mine);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(mine[key] as Json, other[key] as Json))
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
