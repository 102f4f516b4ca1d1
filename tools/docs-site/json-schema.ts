/** Formats JSON Schemas as Markdown tables for the docs site. */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Maximum depth of nested fields that a table shows. */
const DEPTH = 3;

/** Returns the fields of an object schema as a Markdown table; an empty text if the schema has no fields. */
export function fieldTable(schema: JsonSchema, named: NamedSchemas = {}): string {
  const fields = fieldsOf(schema, named, '', DEPTH);
  return fields.length === 0
    ? ''
    : table(
        ['field', 'type', 'meaning'],
        fields.map(({ path, schema: field, isRequired }) => [
          code(path),
          typeOf(field, named),
          [isRequired ? 'Required.' : '', meaningOf(field)].filter((part) => part !== '').join(' '),
        ]),
      );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/**
 * Returns a schema with its `$ref` resolved. If `allOf` has a single element, that element is merged into the schema.
 */
export function resolved(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  if (schema.$ref !== undefined) {
    const target = named[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {};
    const { $ref: _, ...own } = schema;
    return { ...resolved(target, named), ...own };
  }
  const [only, ...others] = schema.allOf ?? [];
  if (only === undefined || others.length > 0) return schema;
  const { allOf: _, ...own } = schema;
  return { ...resolved(only, named), ...own };
}

/** Describes the type of a schema in words, such as `integer, 1 to 10` or `list of string`. */
export function typeOf(given: JsonSchema, named: NamedSchemas): string {
  const schema = resolved(given, named);
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const alternatives = schema.anyOf ?? (schema.properties === undefined ? schema.oneOf : undefined);
  if (schema.type === undefined && alternatives !== undefined)
    return [...new Set(alternatives.map((one) => one.title ?? typeOf(one, named)))].join(' or ');
  const name =
    schema.type === 'array'
      ? `list of ${schema.items === undefined ? 'any JSON' : typeOf(schema.items, named)}`
      : [schema.type ?? 'any JSON'].flat().join(' or ');
  const orNull = schema.nullable === true ? ' or null' : '';
  return [`${name}${schema.format === undefined ? '' : ` (${schema.format})`}${orNull}`, boundsOf(schema)]
    .filter((part) => part !== '')
    .join(', ');
}

function boundsOf(schema: JsonSchema): string {
  const text = (least: number | undefined, most: number | undefined, unit: string): string => {
    if (least !== undefined && most !== undefined) return `${count(least)} to ${count(most)}${unit}`;
    if (least !== undefined) return `at least ${count(least)}${unit}`;
    return most === undefined ? '' : `at most ${count(most)}${unit}`;
  };
  return [
    typeof schema.exclusiveMinimum === 'number' ? `above ${count(schema.exclusiveMinimum)}` : '',
    text(schema.minimum, schema.maximum, ''),
    text(schema.minLength, schema.maxLength, ' characters'),
    text(schema.minItems, schema.maxItems, ' items'),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function meaningOf(schema: JsonSchema): string {
  const standard = schema.default === undefined ? '' : `Default: ${code(JSON.stringify(schema.default))}.`;
  return [schema.description ?? '', standard].filter((part) => part !== '').join(' ');
}

function fieldsOf(given: JsonSchema, named: NamedSchemas, prefix: string, depth: number): readonly Field[] {
  const { properties = {}, required = [] } = resolved(given, named);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const field = { path, schema: resolved(schema, named), isRequired: required.includes(name) };
    if (depth === 1) return [field];
    const element = field.schema.type === 'array' ? field.schema.items : undefined;
    return [
      field,
      ...fieldsOf(element ?? field.schema, named, `${path}${element === undefined ? '' : '[]'}.`, depth - 1),
    ];
  });
}
