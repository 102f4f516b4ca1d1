import type { Diagnostic } from '@codemirror/lint';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { answer, evaluateExpression } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import { useSettled } from '../../ui/index.ts';
import { type ExpressionContext, expressionsIn } from './expression-completions.ts';
import { rangeAt } from './expression-source.ts';

interface ExpressionValueProps {
  readonly text: string;
  readonly kind: 'template' | 'condition';
  /**
   * Cursor position in the text. If the text contains several expressions, the expression at the cursor is evaluated.
   */
  readonly cursor: number;
  readonly context: ExpressionContext;
  /** True if the field already shows a problem. The error of the evaluation is then hidden. */
  readonly isSaid: boolean;
  readonly onDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
}

const NO_SCOPE = {};
const NONE: readonly Diagnostic[] = [];

/** Shows the value of an expression, evaluated with the data of the last execution. */
export function ExpressionValue({
  text,
  kind,
  cursor,
  context,
  isSaid,
  onDiagnostics,
}: ExpressionValueProps) {
  const range =
    kind === 'condition' ? { from: 0, to: text.length } : (rangeAt(text, cursor) ?? expressionsIn(text)[0]);
  const typed = range === undefined ? '' : text.slice(range.from, range.to);
  const expression = useSettled(typed);
  const from = range?.from ?? 0;
  const { data } = useQuery({
    queryKey: ['expression', expression, context.last],
    enabled: expression.trim() !== '',
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    queryFn: ({ signal }) =>
      answer(evaluateExpression({ signal, body: { expression, scope: { ...(context.last ?? NO_SCOPE) } } })),
  });
  const error = expression === typed ? data?.error : undefined;
  const hasData = context.last !== null;
  const diagnostics = useMemo((): readonly Diagnostic[] => {
    if (error === undefined || (error.path !== null && !hasData)) return NONE;
    const start = from + (error.position ?? 0);
    const end = error.position === null ? from + expression.length : start + (error.path?.length ?? 1);
    return [{ from: start, to: end, severity: 'error', message: error.message }];
  }, [error, expression, from, hasData]);
  useEffect(() => onDiagnostics(diagnostics), [diagnostics, onDiagnostics]);
  if (typed.trim() === '' || data === undefined) return null;
  const [shown] = diagnostics;
  if (shown !== undefined) return isSaid ? null : <p className="text-small text-failed">{shown.message}</p>;
  if (!hasData) return null;
  return (
    <p className="text-small text-text-2">
      {texts.lastExecution(
        <output aria-label={texts.valueOnLastExecution} className="mono break-all text-text">
          {shortened(JSON.stringify(data.value))}
        </output>,
      )}
    </p>
  );
}

const LONGEST = 240;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
