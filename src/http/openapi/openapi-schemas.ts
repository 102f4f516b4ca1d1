import type { ReferenceObject, SchemaObject } from './openapi-types.js';

type Schema = SchemaObject | ReferenceObject;
export type MutableSchemas = Record<string, Schema>;

/** Keywords that restrict list elements. @nestjs/swagger wrongly puts them on the list itself. */
const ELEMENT_KEYWORDS = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'] as const;

/**
 * Corrects the schemas that @nestjs/swagger creates: types of arbitrary JSON, restrictions of list elements, and
 * nullable references.
 */
export function correctSchemas(schemas: MutableSchemas): void {
  for (const schema of Object.values(schemas)) correct(schema, schemas);
}

function correct(schema: Schema, schemas: MutableSchemas): void {
  if ('$ref' in schema) return;
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    if (schema.properties !== undefined) schema.properties[name] = correctedMember(member, schemas);
  if (schema.items !== undefined) correct(schema.items, schemas);
}

function correctedMember(member: Schema, schemas: MutableSchemas): Schema {
  if ('$ref' in member) return member;
  openUntyped(member);
  correct(member, schemas);
  moveToElements(member);
  if (member.nullable === true && member.enum !== undefined && !member.enum.includes(null))
    member.enum = [...(member.enum as readonly unknown[]), null];
  return member.nullable === true && member.allOf !== undefined ? nullableReference(member, schemas) : member;
}

/**
 * Removes the type `object` from fields that can be any JSON value. Fields that must be objects have
 * `additionalProperties` and keep the type.
 */
function openUntyped(member: SchemaObject): void {
  if (member.type !== 'object' || member.properties !== undefined) return;
  if (member.additionalProperties !== undefined || member.allOf !== undefined) return;
  delete member.type;
  // OpenAPI 3.0.3 allows `nullable` only next to a type. A schema without a type allows null anyway.
  delete member.nullable;
}

function moveToElements(member: SchemaObject): void {
  if (member.type !== 'array' || member.items === undefined) return;
  const { items } = member;
  for (const keyword of ELEMENT_KEYWORDS) {
    const value: unknown = member[keyword];
    if (value === undefined) continue;
    if (!('$ref' in items)) Object.assign(items, { [keyword]: (items[keyword] as unknown) ?? value });
    delete member[keyword];
  }
}

/**
 * Replaces a reference that allows null with a reference to a nullable copy of the schema. `nullable` next to a
 * reference has no effect.
 */
function nullableReference(member: SchemaObject, schemas: MutableSchemas): Schema {
  const [part] = member.allOf ?? [];
  if (part === undefined || !('$ref' in part)) return member;
  const name = part.$ref.slice(part.$ref.lastIndexOf('/') + 1);
  const target = schemas[name];
  if (target === undefined || '$ref' in target) return member;
  const nullableName = `Nullable${name}`;
  schemas[nullableName] ??= { ...target, nullable: true };
  return { $ref: part.$ref.replace(name, nullableName) };
}

/** Removes schemas to which no reference exists, for example because nullable copies replaced them. */
export function dropUnusedSchemas(schemas: MutableSchemas, document: object): void {
  for (let isChanged = true; isChanged;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unused) delete schemas[name];
    isChanged = unused.length > 0;
  }
}
