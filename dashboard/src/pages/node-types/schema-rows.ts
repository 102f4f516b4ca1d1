import { texts } from '../../texts/en/node-types.ts';
export interface SchemaRow {
  /** Path of the parameter, with the names of its parents, such as `retry.max_attempts`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** Maximum nesting depth of the parameters in the table. Deeper parameters appear only in the full JSON Schema. */
const MOST_LEVELS = 3;

/** The parameters of an object schema as rows of a table. Each parameter is followed by its nested parameters. */
export function schemaRows(schema: Schema, prefix = '', level = 1): readonly SchemaRow[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const property = isRecord(value) ? value : {};
    const path = `${prefix}${name}`;
    const row = {
      path,
      type: typeWord(property),
      required: required.includes(name),
      description: [property['description'], bounds(property)].filter(Boolean).join(' '),
    };
    return [row, ...(level < MOST_LEVELS ? schemaRows(property, `${path}.`, level + 1) : [])];
  });
}

/** An example value for a JSON Schema, which users can copy and edit. */
export function exampleOf(schema: Schema): unknown {
  const { examples } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(branches) && isRecord(branches[0]) && schema['properties'] === undefined)
    return exampleOf(branches[0]);
  switch (typeOf(schema)) {
    case 'object': {
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      const required = Array.isArray(schema['required']) ? schema['required'] : [];
      return Object.fromEntries(
        Object.entries(properties).flatMap(([name, property]) =>
          required.includes(name) && isRecord(property) ? [[name, exampleOf(property)]] : [],
        ),
      );
    }
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    default:
      return schema['format'] === 'uri' ? 'https://example.com/' : '…';
  }
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type[0];
  return type ?? (schema['properties'] === undefined ? undefined : 'object');
}

function typeWord(schema: Schema): string {
  const options = schema['enum'];
  if (Array.isArray(options)) return options.map((option) => JSON.stringify(option)).join(' | ');
  const { type } = schema;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : texts.anyType;
}

function bounds(schema: Schema): string {
  const facts = [
    ['minimum', texts.atLeast],
    ['maximum', texts.atMost],
    ['default', texts.default],
  ] as const;
  return facts
    .flatMap(([key, word]) => (schema[key] === undefined ? [] : [`${word} ${JSON.stringify(schema[key])}.`]))
    .join(' ');
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
