import { texts } from '../../../texts/en/workflow-builder.ts';
type Schema = Readonly<Record<string, unknown>>;

/** How a parameter is edited, by its JSON Schema. */
export type ParameterKind = 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'value' | 'literal';

/** A parameter of a node type. */
export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly kind: ParameterKind;
  readonly schema: Schema;
}

/** Names of parameters that the graph edits. */
const DRAWN: ReadonlySet<string> = new Set(['nodes']);

/** The parameters of an object schema, in its order. Omits the body of a loop, because the graph shows it. */
export function parametersOf(schema: Schema, isLoop = false): readonly Parameter[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, value]) => {
    if (isLoop && DRAWN.has(name)) return [];
    const property = isRecord(value) ? value : {};
    const { title, description } = property;
    return {
      name,
      label: typeof title === 'string' ? title : name,
      hint: typeof description === 'string' ? description : undefined,
      required: required.includes(name),
      kind: kindOf(property),
      schema: property,
    };
  });
}

function kindOf(schema: Schema): ParameterKind {
  if (Array.isArray(schema['enum'])) return 'choice';
  switch (schema['type']) {
    case 'string':
      return schema['x-literal'] === true ? 'literal' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return isRecord(schema['properties']) ? 'object' : 'value';
    default:
      return 'value';
  }
}

/** Whether a text contains an expression. Such a text can have a value of any kind. */
export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** The text of a value in a field. A string that does not look like JSON is shown unchanged; other values as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const read = valueOf(value);
  return 'value' in read && read.value === value ? value : JSON.stringify(value);
}

/** The value of a typed text: JSON if the text begins like JSON, otherwise the text itself. */
export function valueOf(text: string): { readonly value: unknown } | { readonly error: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  if (trimmed.startsWith('{{')) return { value: text };
  if (!/^(?:[[{"]|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|(?:true|false|null)$)/i.test(trimmed))
    return { value: text };
  try {
    return { value: JSON.parse(trimmed) as unknown };
  } catch {
    return { error: texts.valueNotJson };
  }
}

/**
 * The number in a text. A text that is not a number is returned unchanged: it may be an expression; otherwise the
 * service reports the error.
 */
export function numberOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
