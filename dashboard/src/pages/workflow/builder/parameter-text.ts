import { texts } from '../../../texts/en/workflow-builder.ts';
type Schema = Readonly<Record<string, unknown>>;

/** How a parameter is edited, derived from its JSON Schema. */
export type ParameterKind = 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'value' | 'literal';

export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly kind: ParameterKind;
  readonly schema: Schema;
}

/** Parameters that are edited in the graph. */
const DRAWN: ReadonlySet<string> = new Set(['nodes']);

/**
 * The parameters of an object schema. The body of a loop is omitted, because the graph shows the
 * body.
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

/** Whether a text contains an expression, whose value can have any type. */
export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** The text of a value in a field. A string is shown as JSON only if it looks like JSON. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const read = valueOf(value);
  return 'value' in read && read.value === value ? value : JSON.stringify(value);
}

/** Parses a text as JSON if the text begins like JSON. */
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

/** Parses a number. Other texts stay unchanged, because they may be expressions. */
export function numberOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
