import type { ReferenceObject, SchemaObject } from './openapi-types.js';

type Schema = SchemaObject | ReferenceObject;
export type MutableSchemas = Record<string, Schema>;

/** Keywords for the elements of a list, which the scan wrongly adds to the list. */
const ELEMENT_KEYWORDS = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'] as const;

/** Corrects errors of the scan: types of untyped JSON, rules for list elements, and forms of null. */
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

/** Removes the type `object` from untyped JSON. Free-form objects have `additionalProperties` and keep the type. */
function openUntyped(member: SchemaObject): void {
  if (member.type !== 'object' || member.properties !== undefined) return;
  if (member.additionalProperties !== undefined || member.allOf !== undefined) return;
  delete member.type;
  // OpenAPI 3.0.3 allows `nullable` only with a type. A schema without a type already allows null.
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

/** A reference to a copy of the schema that allows null. `nullable` would have no effect on the original. */
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

/** Removes schemas whose references were replaced with nullable copies. */
export function dropUnusedSchemas(schemas: MutableSchemas, document: object): void {
  for (let isChanged = true; isChanged;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unused) delete schemas[name];
    isChanged = unused.length > 0;
  }
}
