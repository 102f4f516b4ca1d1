import { texts } from '../../texts/en/workflow-expressions.ts';
import { FUNCTIONS, METHODS } from './expression-functions.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What the editor knows about the data that an expression can read. */
export interface ExpressionContext {
  readonly inputSchema: unknown;
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly outputSchema: unknown;
  }[];
  readonly secrets: readonly string[];
  /** Whether the node is inside a loop, where expressions can read `item` and `index`. */
  readonly isInLoop: boolean;
  /** Values of the last execution of the workflow, as examples; null without an execution. */
  readonly last: Schema | null;
}

export interface Completion {
  readonly label: string;
  /** Text next to the label: a type, a signature, or the value in the last execution. */
  readonly detail: string;
  readonly info?: string;
  readonly kind: 'variable' | 'property' | 'function' | 'method';
}

export interface Completions {
  readonly from: number;
  readonly options: readonly Completion[];
}

/** Start and end of an expression within a text, without the braces around the expression. */
export interface ExpressionRange {
  readonly from: number;
  readonly to: number;
}

/** Matches the path before the cursor, such as `nodes.fetch.?output`. A `?` precedes an optional field. */
const PATH =
  /(?:[A-Za-z_]\w*|\[(?:"[^"]*"|'[^']*'|\d+)\])?(?:\.\??[A-Za-z_]\w*|\[(?:"[^"]*"|'[^']*'|\d+)\])*\.?\??$/;
const LONGEST_SAMPLE = 40;

/** The positions of all expressions in a text. An expression without closing braces extends to the end of the text. */
export function expressionsIn(text: string): readonly ExpressionRange[] {
  return [...text.matchAll(/\{\{([\s\S]*?)(?:\}\}|$)/g)].map((match) => {
    const from = match.index + 2;
    return { from, to: from + (match[1] ?? '').length };
  });
}

/**
 * Completions for an expression at the cursor.
 * @param before the part of the expression before the cursor
 */
export function expressionCompletions(before: string, context: ExpressionContext): Completions {
  const path = PATH.exec(before)?.[0] ?? '';
  const [, owner = '', word = ''] = /^(?:(.*)\.\??)?(\w*)$/s.exec(path) ?? [];
  const from = before.length - word.length;
  const isMember = path.length > word.length;
  if (!isMember) return { from, options: [...roots(context), ...functions('')] };
  const steps = [...owner.matchAll(/\w+/g)].map(([step]) => step);
  if (steps.length === 1 && (steps[0] === 'math' || steps[0] === 'optional'))
    return { from, options: functions(`${steps[0]}.`) };
  return {
    from,
    options: [...fieldsAt(steps, context), ...(steps.length > 1 || isValue(steps) ? methods() : [])],
  };
}

/**
 * Whether a variable has methods itself, as `input` does. Variables such as `nodes` only contain fields, and
 * their fields have methods.
 */
function isValue([root]: readonly string[]): boolean {
  return (
    root !== 'nodes' &&
    root !== 'secrets' &&
    root !== 'session' &&
    root !== 'workflow' &&
    root !== 'execution'
  );
}

function roots({ isInLoop, last }: ExpressionContext): readonly Completion[] {
  const names = ['input', 'nodes', 'session', 'secrets', 'workflow', 'execution'];
  return [...(isInLoop ? ['item', 'index'] : []), ...names].map((label) => ({
    label,
    detail: label === 'input' ? sampleOf(last?.['input']) : '',
    kind: 'variable',
  }));
}

function functions(prefix: string): readonly Completion[] {
  return FUNCTIONS.filter(({ name }) => name.startsWith(prefix)).map(({ name, signature, help }) => ({
    label: name.slice(prefix.length),
    detail: signature,
    info: help,
    kind: 'function',
  }));
}

function methods(): readonly Completion[] {
  return METHODS.map(({ name, signature, help }) => ({
    label: name,
    detail: signature,
    info: help,
    kind: 'method',
  }));
}

function fieldsAt(steps: readonly string[], context: ExpressionContext): readonly Completion[] {
  const [root, second] = steps;
  if (root === 'secrets')
    return steps.length > 1 ? [] : context.secrets.map((label) => field(label, 'secret'));
  if (root === 'nodes' && steps.length === 1) return context.nodes.map(({ id, type }) => field(id, type));
  if (root === 'nodes' && steps.length === 2)
    return [
      field('output', sampleOf(valueAt(context.last, [...steps, 'output']))),
      field('status', texts.statusValues),
      field('error', texts.errorValues),
    ];
  const schema =
    root === 'input'
      ? schemaAt(context.inputSchema, steps.slice(1))
      : root === 'nodes' && steps[2] === 'output'
        ? schemaAt(context.nodes.find(({ id }) => id === second)?.outputSchema, steps.slice(3))
        : schemaAt(KNOWN, steps);
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  const value = valueAt(context.last, steps);
  const values = isRecord(value) ? value : {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])];
  return names
    .filter((name) => /^[A-Za-z_]\w*$/.test(name))
    .map((name) => field(name, name in values ? sampleOf(values[name]) : typeWord(properties[name])));
}

/** Schemas of the variables of expressions that have the same fields in every workflow, such as `execution.id`. */
const KNOWN: Schema = {
  properties: {
    session: { properties: { state: { type: 'object' }, id: { type: 'string' } } },
    workflow: {
      properties: { id: { type: 'string' }, name: { type: 'string' }, version: { type: 'integer' } },
    },
    execution: { properties: { id: { type: 'string' } } },
  },
};

function field(label: string, detail: string): Completion {
  return { label, detail, kind: 'property' };
}

function schemaAt(schema: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((current, step) => {
    if (!isRecord(current)) return undefined;
    if (/^\d+$/.test(step)) return current['items'];
    return isRecord(current['properties']) ? current['properties'][step] : undefined;
  }, schema);
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((current, step) => {
    if (Array.isArray(current)) return (current as readonly unknown[])[Number(step)];
    return isRecord(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }, value);
}

/** A value from the last execution as JSON, shortened to at most 40 characters. */
export function sampleOf(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return '';
  return text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE - 1)}…` : text;
}

function typeWord(schema: unknown): string {
  const type = isRecord(schema) ? schema['type'] : undefined;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : '';
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
