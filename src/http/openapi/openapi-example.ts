import type { ReferenceObject, SchemaObject } from './openapi-types.js';

export type Schemas = Readonly<Record<string, SchemaObject | ReferenceObject>>;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11',
  'date-time': '2026-11-21T09:30:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/**
 * An example value that matches a JSON Schema. Undefined for a schema that contains itself.
 * @param within names of the schemas that contain the given schema
 */
export function exampleOf(
  schema: SchemaObject | ReferenceObject,
  schemas: Schemas,
  within: readonly string[] = [],
): unknown {
  if ('$ref' in schema) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const target = schemas[name];
    return target === undefined || within.includes(name)
      ? undefined
      : exampleOf(target, schemas, [...within, name]);
  }
  const given: unknown = schema.example ?? (schema.default === undefined ? schema.enum?.[0] : schema.default);
  if (given !== undefined) return given;
  if (schema.allOf !== undefined) return merged(schema.allOf.map((part) => exampleOf(part, schemas, within)));
  const [alternative] = schema.oneOf ?? schema.anyOf ?? [];
  return alternative === undefined
    ? ofType(schema, schemas, within)
    : exampleOf(alternative, schemas, within);
}

function merged(parts: readonly unknown[]): unknown {
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}

function ofType(schema: SchemaObject, schemas: Schemas, within: readonly string[]): unknown {
  switch (schema.type) {
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array': {
      const element = schema.items === undefined ? undefined : exampleOf(schema.items, schemas, within);
      return element === undefined ? [] : [element];
    }
    case undefined:
      return schema.properties === undefined ? 'any JSON' : objectExample(schema, schemas, within);
    default:
      return objectExample(schema, schemas, within);
  }
}

function objectExample(schema: SchemaObject, schemas: Schemas, within: readonly string[]): unknown {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, exampleOf(member, schemas, within)] as const,
  );
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
