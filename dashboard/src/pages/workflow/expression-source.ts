import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import {
  type Completions,
  expressionCompletions,
  type ExpressionContext,
  type ExpressionRange,
  expressionsIn,
} from './expression-completions.ts';

const TYPES = { variable: 'variable', property: 'property', function: 'function', method: 'method' } as const;

/**
 * Completion for expressions: between `{{` and `}}` in a template, or anywhere in a condition.
 * @param context called at each completion to get the current data
 */
export function expressionSource(
  context: () => ExpressionContext,
  kind: 'template' | 'condition',
): CompletionSource {
  return (completion: CompletionContext): CompletionResult | null => {
    const text = completion.state.doc.toString();
    const range = kind === 'condition' ? { from: 0, to: text.length } : rangeAt(text, completion.pos);
    if (range === undefined) return null;
    return completionsAt(text, range, completion, context());
  };
}

/** The expression in which a position of a text lies; undefined outside expressions. */
export function rangeAt(text: string, position: number): ExpressionRange | undefined {
  return expressionsIn(text).find(({ from, to }) => position >= from && position <= to);
}

export function completionsAt(
  text: string,
  { from }: ExpressionRange,
  { pos, explicit }: Pick<CompletionContext, 'pos' | 'explicit'>,
  context: ExpressionContext,
): CompletionResult | null {
  const before = text.slice(from, pos);
  if (isInsideText(before)) return null;
  const found = expressionCompletions(before, context);
  const isMember = before[found.from - 1] === '.' || before[found.from - 1] === '?';
  if (!explicit && !isMember && found.from === before.length) return null;
  return { from: from + found.from, options: optionsOf(found), validFor: /^\w*$/ };
}

function optionsOf({ options }: Completions): Completion[] {
  return options.map(({ label, detail, info, kind }) => ({
    label,
    detail,
    ...(info === undefined ? {} : { info }),
    type: TYPES[kind],
    ...(kind === 'function' || kind === 'method' ? { apply: `${label}(`, boost: -1 } : {}),
  }));
}

/**
 * Whether the cursor is inside a quoted string, where the field offers no completion.
 * @param before the part of the expression before the cursor
 */
function isInsideText(before: string): boolean {
  return (
    /^(?:[^"']|"[^"]*"|'[^']*')*["'][^"']*$/.test(before.replace(/\["[^"]*$/, '')) && !/[.\w]$/.test(before)
  );
}
