import type { ReferenceObject, SchemaObject } from './openapi-types.js';

type Schema = SchemaObject | ReferenceObject;
export type MutableSchemas = Record<string, Schema>;

/** Rules of elements (`each`) that the scan puts on the list itself. */
const ELEMENT_KEYWORDS = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'] as const;

/**
 * Corrects a document's schemas in place: untyped JSON that the scan calls an object, element rules on a list, and null
 * that a strict reader of OpenAPI 3.0.3 would refuse.
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

/** The compiler emits a bare `Object` for untyped JSON; free-form objects have `additionalProperties`. */
function openUntyped(member: SchemaObject): void {
  if (member.type !== 'object' || member.properties !== undefined) return;
  if (member.additionalProperties !== undefined || member.allOf !== undefined) return;
  delete member.type;
  // OpenAPI 3.0.3 allows `nullable` only beside a type; without a type every value matches, null included.
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
 * `nullable` beside `allOf` has no effect, since each part forbids null. So the schema gets a nullable copy, and
 * references point to that copy.
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

/** Removes schemas without references, which nullable copies replaced. */
export function dropUnusedSchemas(schemas: MutableSchemas, document: object): void {
  for (let isChanged = true; isChanged;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unused) delete schemas[name];
    isChanged = unused.length > 0;
  }
}
