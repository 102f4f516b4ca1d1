import { texts } from '../../../texts/en/workflow-builder.ts';
type Schema = Readonly<Record<string, unknown>>;

/** Kind of field for a parameter, derived from the JSON Schema of the parameter. */
export type ParameterKind = 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'value' | 'literal';

export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly kind: ParameterKind;
  readonly schema: Schema;
}

/** Parameters of a loop that the user edits in the graph and not in the form. */
const DRAWN: ReadonlySet<string> = new Set(['nodes']);

/**
 * The parameters that an object schema defines. For a loop, the body is omitted, because the user edits the body in the
 * graph.
 */
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

/** Whether a value is a text that contains an expression. The result of the expression can have any type. */
export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * The text that a field shows for a value. A string is shown as quoted JSON only if the plain string would be parsed as
 * JSON.
 */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const read = valueOf(value);
  return 'value' in read && read.value === value ? value : JSON.stringify(value);
}

/**
 * Parses the text of a field. Text that looks like JSON is parsed as JSON, and other text becomes a string.
 * @returns an error if text that looks like JSON is invalid
 */
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

/** Parses the text of a number field. Text that is not a number stays unchanged, because it may be an expression. */
export function numberOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
