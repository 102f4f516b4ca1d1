import type { ReferenceObject, SchemaObject } from './openapi-types.js';

export type Schemas = Readonly<Record<string, SchemaObject | ReferenceObject>>;

/** Levels of an example; schemas may hold themselves. */
const MAX_DEPTH = 8;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11',
  'date-time': '2026-11-21T09:30:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/** A value that fits a schema, of the examples and defaults inside it. */
export function exampleOf(schema: SchemaObject | ReferenceObject, schemas: Schemas, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if ('$ref' in schema) {
    const target = schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    return target === undefined ? undefined : exampleOf(target, schemas, depth + 1);
  }
  const given: unknown = schema.example ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, depth + 1)));
  const [alternative] = schema.oneOf ?? schema.anyOf ?? [];
  return alternative === undefined ? ofType(schema, schemas, depth) : exampleOf(alternative, schemas, depth + 1);
}

function ofType(schema: SchemaObject, schemas: Schemas, depth: number): unknown {
  switch (schema.type) {
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array': {
      const element = schema.items === undefined ? undefined : exampleOf(schema.items, schemas, depth + 1);
      return element === undefined ? [] : [element];
    }
    default:
      return objectExample(schema, schemas, depth);
  }
}

function objectExample(schema: SchemaObject, schemas: Schemas, depth: number): unknown {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member, schemas, depth + 1)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
