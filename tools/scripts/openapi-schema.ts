/** Compares the schemas of two OpenAPI 3.0 documents. */

export type JsonObject = Readonly<Record<string, unknown>>;
/**
 * Whether a schema describes requests or responses. The new schema of a request must accept all previous values. The
 * new schema of a response must not omit fields or change types, but enums may have new values.
 */
export type Direction = 'request' | 'response';
export interface Sides<T> {
  readonly before: T;
  readonly after: T;
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Returns a schema with its `$ref` resolved and its `allOf` elements merged. */
export function flattened(document: JsonObject, value: unknown): JsonObject {
  const { $ref: reference, allOf: parts, ...own } = asObject(value);
  if (typeof reference === 'string') {
    const target = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, name) => asObject(at)[name], document);
    return { ...flattened(document, target), ...own };
  }
  return asArray(parts).reduce<JsonObject>((joined, part) => {
    const member = flattened(document, part);
    return {
      ...member,
      ...joined,
      properties: { ...objectAt(member, 'properties'), ...objectAt(joined, 'properties') },
      required: [...asArray(member['required']), ...asArray(joined['required'])],
    };
  }, own);
}

/**
 * Returns a text that identifies a referenced schema: its reference, and whether it is nullable. Undefined for a schema
 * without a reference.
 */
export function nameOf(schema: unknown): string | undefined {
  const { $ref: reference, allOf: parts, nullable = false } = asObject(schema);
  if (typeof reference === 'string') return `${reference} ${String(nullable)}`;
  const [only, ...more] = asArray(parts);
  const inner = asObject(only)['$ref'];
  return typeof inner === 'string' && more.length === 0 ? `${inner} ${String(nullable)}` : undefined;
}

export function typesFit(direction: Direction, { before, after }: Sides<JsonObject>): boolean {
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
  if (isNullable(narrow) && !isNullable(wide)) return false;
  const wideType = wide['type'];
  return (
    wideType === undefined ||
    narrow['type'] === wideType ||
    (narrow['type'] === 'integer' && wideType === 'number')
  );
}

/** Whether a schema allows null. A schema without a type and without an enum allows every value, including null. */
function isNullable(schema: JsonObject): boolean {
  return schema['nullable'] === true || (schema['type'] === undefined && schema['enum'] === undefined);
}

export function typeName(schema: JsonObject): string {
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'any type';
  return isNullable(schema) && schema['type'] !== undefined ? `${type} or null` : type;
}

export function* valueDifferences(
  direction: Direction,
  { before, after }: Sides<JsonObject>,
): Generator<string> {
  const values = both({ before, after }, (schema) => schema['enum']);
  if (direction === 'response') {
    // Clients must accept new values of an enum in responses. However, an enum must not become a free text.
    if (values.before !== undefined && values.after === undefined) yield 'may have any value';
    if (before['format'] !== undefined && before['format'] !== after['format'])
      yield `has no format ${JSON.stringify(before['format'])}`;
    return;
  }
  if (values.after !== undefined) {
    const taken = asArray(values.after);
    const lost =
      values.before === undefined ? [] : asArray(values.before).filter((one) => !taken.includes(one));
    if (values.before === undefined) yield `takes only ${taken.map(String).join(', ')}`;
    if (lost.length > 0) yield `no longer takes ${lost.map(String).join(', ')}`;
  }
  for (const name of LOWER_BOUNDS)
    if (boundOf(after, name, -Infinity) > boundOf(before, name, -Infinity)) yield raised(name, after);
  for (const name of UPPER_BOUNDS)
    if (boundOf(after, name, Infinity) < boundOf(before, name, Infinity)) yield raised(name, after);
  for (const name of ['pattern', 'format', 'multipleOf'])
    if (after[name] !== undefined && after[name] !== before[name]) yield raised(name, after);
}

function boundOf(schema: JsonObject, name: string, fallback: number): number {
  const bound = schema[name];
  return typeof bound === 'number' ? bound : fallback;
}

function raised(name: string, schema: JsonObject): string {
  return `has the ${name} ${String(schema[name])}`;
}

export function optionsOf(schema: JsonObject): readonly unknown[] {
  const options = [...asArray(schema['oneOf']), ...asArray(schema['anyOf'])];
  return options.length === 0 ? [schema] : options;
}

export function both<T, R>({ before, after }: Sides<T>, read: (side: T) => R): Sides<R> {
  return { before: read(before), after: read(after) };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function objectAt(value: JsonObject, name: string): JsonObject {
  return asObject(value[name]);
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
