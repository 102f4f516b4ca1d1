import { compileExpression, ExpressionError } from '../../src/engine/expression.js';
import type {
  AttemptOutcome,
  ExecutionError,
  Json,
  NodeDefinition,
  NodeError,
} from '../../src/engine/index.js';
import { compileTemplate } from '../../src/engine/template.js';
import { SURROUNDINGS } from './engine-plans.js';
import type { RandomExecution } from './execution-arbitrary.js';

/** What becomes of one node, whenever it runs. */
export interface Fate {
  readonly status: 'completed' | 'failed' | 'skipped';
  readonly output: Json;
  readonly error: NodeError | null;
  /** The attempt that settled it; 0 where it was skipped. */
  readonly attempt: number;
}

export interface Expected {
  readonly fates: ReadonlyMap<string, Fate>;
  /** Nodes whose failure ends the execution; which of them does is a matter of time. */
  readonly fatal: readonly string[];
  /** The end where no node's failure ends the execution. */
  readonly end: { readonly output: Json } | { readonly error: ExecutionError };
}

/**
 * What an execution must come to, found in the plainest way: one node after the other, no time, no journal.
 * It shares nothing with the engine but the expressions.
 */
export function expectedOf({ nodes, output, input, attemptOf }: RandomExecution): Expected {
  const fates = new Map<string, Fate>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const scope = (): Parameters<ReturnType<typeof compileExpression>['evaluate']>[0] => ({
    input,
    nodes: Object.fromEntries(
      [...fates].map(([id, { status, output: value, error }]) => [
        id,
        { status, output: value, error: error && { ...error } },
      ]),
    ),
    ...SURROUNDINGS,
  });
  const fateOf = (id: string): Fate => {
    const known = fates.get(id);
    if (known !== undefined) return known;
    const node = byId.get(id);
    if (node === undefined) throw new Error(`There is no node "${id}".`);
    const needs = needsOf(node).map(fateOf);
    const fate = settledFate(node, needs);
    fates.set(id, fate);
    return fate;
  };
  const settledFate = (node: NodeDefinition, needs: readonly Fate[]): Fate => {
    if (needs.length > 0 && needs.every(({ status }) => status === 'skipped')) return SKIPPED;
    let attempt = 1;
    try {
      if (node.if !== undefined) {
        const holds = compileExpression(node.if).evaluate(scope());
        if (holds === false) return SKIPPED;
        if (holds !== true) throw new ExpressionError('not a condition');
      }
      const parameters = compileTemplate(node.with ?? {}, 'with').template.render(scope());
      for (; ; attempt += 1) {
        let outcome: AttemptOutcome = attemptOf(node.id, attempt, false, parameters).outcome;
        if (outcome.kind === 'suspend') ({ outcome } = attemptOf(node.id, attempt, true, parameters));
        if (outcome.kind === 'output')
          return { status: 'completed', output: outcome.output, error: null, attempt };
        if (outcome.kind === 'failure' && (!outcome.retryable || attempt >= (node.retry?.max_attempts ?? 1)))
          return { status: 'failed', output: null, error: outcome.error, attempt };
      }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return { status: 'failed', output: null, error: { code: error.code, message: error.message }, attempt };
    }
  };
  for (const { id } of nodes) fateOf(id);
  const fatal = nodes
    .filter(({ id, on_error }) => on_error !== 'continue' && fates.get(id)?.status === 'failed')
    .map(({ id }) => id);
  return { fates, fatal, end: endOf(nodes, output, fates, scope) };
}

const SKIPPED: Fate = { status: 'skipped', output: null, error: null, attempt: 0 };

/** Ids that a node names, in its needs or in its expressions. */
export function needsOf({
  needs = [],
  if: condition = '',
  with: parameters = {},
}: NodeDefinition): readonly string[] {
  const mentioned = `${condition} ${JSON.stringify(parameters)}`.matchAll(/nodes\.(\w+)/g);
  return [...new Set([...needs, ...[...mentioned].map((match) => match[1] as string)])];
}

function endOf(
  nodes: readonly NodeDefinition[],
  output: Json | undefined,
  fates: ReadonlyMap<string, Fate>,
  scope: () => Parameters<ReturnType<typeof compileExpression>['evaluate']>[0],
): Expected['end'] {
  if (output !== undefined) {
    try {
      return { output: compileTemplate(output, 'output').template.render(scope()) };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const message = `In the output of the workflow: ${error.message}`;
      return { error: { type: error.code, message, node_id: null } };
    }
  }
  const needed = new Set(nodes.flatMap(needsOf));
  const last = nodes
    .filter(({ id }) => !needed.has(id))
    .map(({ id }) => [id, fates.get(id)?.output ?? null] as const);
  if (last.length === 0) return { output: null };
  return { output: last.length === 1 ? (last[0]?.[1] ?? null) : Object.fromEntries(last) };
}
