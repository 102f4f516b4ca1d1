/** A schema in an OpenAPI 3.0 document. */
export type DocumentSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = 'components';
const OPEN = `${COMPONENTS}#/$defs/open.`;
const CLOSED = `${COMPONENTS}#/$defs/closed.`;
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
/** Keywords of a schema that do not affect validation. */
const IGNORED: ReadonlySet<string> = new Set([
  'description',
  'example',
  'default',
  'deprecated',
  'nullable',
  'title',
]);

/**
 * Converts the components of an OpenAPI document to one JSON Schema 2019-09 with the `$id` `components`. The result
 * follows OpenAPI 3.0.3 strictly:
 * - An object may have only the fields that its schema names, unless the schema sets `additionalProperties`.
 * - `nullable` allows null only if the same schema has a `type`, and an `enum` must list null.
 * - Keywords next to a `$ref` are ignored.
 */
export function strictComponents(components: Readonly<Record<string, DocumentSchema>>): object {
  const definitions = Object.entries(components).flatMap(([name, component]) => [
    [`open.${name}`, converted(component, false)],
    [`closed.${name}`, converted(component, true)],
  ]);
  return { $id: COMPONENTS, $defs: Object.fromEntries(definitions) as object };
}

/**
 * Converts a schema of an OpenAPI document in the same way as `strictComponents`. References in the result refer to the
 * result of `strictComponents`.
 * @param isClosed false allows additional fields in the outermost object
 */
export function strictSchema(schema: DocumentSchema, isClosed: boolean): object {
  return converted(schema, isClosed);
}

/**
 * @param isClosed whether this schema rejects unknown fields; false for the parts of an `allOf`, because the whole
 * rejects them
 */
function converted(schema: DocumentSchema, isClosed: boolean): object {
  if (typeof schema['$ref'] === 'string')
    return { $ref: (isClosed ? CLOSED : OPEN) + schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1) };
  const made = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !IGNORED.has(key))
      .map(([key, value]) => [key, convertedKeyword(key, value)]),
  );
  if (schema['nullable'] === true && typeof schema['type'] === 'string')
    made['type'] = [schema['type'], 'null'];
  const describesFields = schema['properties'] !== undefined || schema['allOf'] !== undefined;
  if (isClosed && describesFields && schema['additionalProperties'] === undefined)
    made['unevaluatedProperties'] = false;
  return made;
}

function convertedKeyword(key: string, value: unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Readonly<Record<string, DocumentSchema>>).map(([name, member]) => [
        name,
        converted(member, true),
      ]),
    );
  if (key === 'items' || key === 'not' || (key === 'additionalProperties' && typeof value === 'object'))
    return converted(value as DocumentSchema, true);
  if ((LISTS as readonly string[]).includes(key))
    return (value as readonly DocumentSchema[]).map((part) => converted(part, key !== 'allOf'));
  return value;
}
