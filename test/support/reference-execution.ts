import { compileExpression } from '../../src/expressions/expression.js';
import { ExpressionError } from '../../src/expressions/value.js';
import type { AttemptOutcome, NodeDefinition } from '../../src/engine/index.js';
import type { ExecutionError, NodeError, Resumption } from '../../src/execution-events/index.js';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import type { LoopDefinition, OnError } from '../../src/engine/definition.js';
import { compileTemplate } from '../../src/expressions/template.js';
import { SECRETS, EVALUATION_CONTEXT } from './engine-plans.js';
import { type RandomExecution, signalPayload } from './execution-arbitrary.js';

/** The final state of a node, which does not depend on timing. */
export interface Fate {
  readonly status: 'completed' | 'failed' | 'skipped';
  readonly output: Json;
  readonly error: NodeError | null;
  /** Number of the attempt that decided the final state; 0 if the node was skipped. */
  readonly attempt: number;
}

export interface Expected {
  readonly fates: ReadonlyMap<string, Fate>;
  /** Ids of the nodes whose failure can end the execution. If there are several, timing decides which one ends it. */
  readonly fatal: readonly string[];
  /**
   * Whether the error of the execution is predictable. False if several items of a loop fail, because then timing
   * decides which error the loop reports.
   */
  readonly isCertain: boolean;
  /** How the execution ends if no failure of a node ends it. */
  readonly end: { readonly output: Json } | { readonly error: ExecutionError };
}

/**
 * Computes the expected result of an execution without the engine: nodes run one after another, without time, crashes
 * or journal. Only the evaluation of expressions is shared with the engine.
 */
export function expectedOf({ nodes, output, input, attemptOf, childEndOf }: RandomExecution): Expected {
  const fates = new Map<string, Fate>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let isCertain = true;
  const scope = (): Scope => ({ input, nodes: visible(fates), ...EVALUATION_CONTEXT, secrets: SECRETS });
  const fateOf = (id: string): Fate => {
    const known = fates.get(id);
    if (known !== undefined) return known;
    const node = byId.get(id);
    if (node === undefined) throw new Error(`The workflow has no node "${id}".`);
    const needs = needsOf(node).map(fateOf);
    const fate = fateAfter(node, needs, scope, node.type === 'loop' ? iterated(node) : attempted(node));
    fates.set(id, fate);
    return fate;
  };
  const attempted =
    (node: NodeDefinition) =>
    (parameters: Json): Fate => {
      for (let attempt = 1; ; attempt += 1) {
        let outcome: AttemptOutcome = attemptOf(node.id, attempt, null, parameters).outcome;
        const resumption = resumptionOf(node.id, attempt, outcome);
        if (resumption !== null) ({ outcome } = attemptOf(node.id, attempt, resumption, parameters));
        if (outcome.kind === 'output')
          return { status: 'completed', output: outcome.output as Json, error: null, attempt };
        if (outcome.kind === 'failure' && (!outcome.retryable || attempt >= (node.retry?.max_attempts ?? 1)))
          return { status: 'failed', output: null, error: outcome.error, attempt };
      }
    };
  const iterated =
    (node: NodeDefinition) =>
    (parameters: Json): Fate => {
      const { items } = parameters as { readonly items: readonly Json[] };
      const results = items.map((item, index) => itemResult(node, item, index));
      const failed = results.filter((result) => 'error' in result);
      if (failed.length === 0 || loopOf(node).on_error === 'continue') {
        const list = results.map((result) => ('error' in result ? { error: result.error } : result.output));
        return { status: 'completed', output: list as unknown as Json, error: null, attempt: 1 };
      }
      if (failed.length > 1) isCertain = false;
      return { status: 'failed', output: null, error: { code: 'item_failed', message: '' }, attempt: 1 };
    };
  const itemResult = (loop: NodeDefinition, item: Json, index: number): ItemResult => {
    const body = loopOf(loop);
    const own = new Map<string, Fate>();
    const inner = (): Scope => ({
      ...scope(),
      nodes: { ...visible(fates), ...visible(own) },
      item,
      index,
    });
    for (const node of body.nodes) {
      const needs = needsOf(node).flatMap((id) => own.get(id) ?? []);
      const fate = fateAfter(node, needs, inner, attempted(node));
      own.set(node.id, fate);
      fates.set(`${loop.id}[${index}].${node.id}`, fate);
    }
    const fatal = body.nodes.find(({ id, on_error }) => isFatal(on_error, own.get(id)));
    if (fatal !== undefined) return { error: { ...own.get(fatal.id)?.error, node_id: fatal.id } };
    const end = endOf(body.nodes, body.output, own, inner, `the output of item ${index} of "${loop.id}"`);
    if (!('error' in end)) return end;
    const { type: code, message } = end.error;
    return { error: { code, message, node_id: null } };
  };
  const resumptionOf = (id: string, attempt: number, outcome: AttemptOutcome): Resumption | null => {
    if (outcome.kind === 'child') return { kind: 'child', id: 'child', ...childEndOf(id, attempt) };
    if (outcome.kind !== 'suspend') return null;
    return outcome.wait.signal === id
      ? { kind: 'signal', name: id, payload: signalPayload(attempt) }
      : { kind: 'timer', at: 0 };
  };
  for (const { id } of nodes) fateOf(id);
  const fatal = nodes.filter(({ id, on_error }) => isFatal(on_error, fates.get(id))).map(({ id }) => id);
  return { fates, fatal, isCertain, end: endOf(nodes, output, fates, scope, 'the output of the workflow') };
}

type Scope = Parameters<ReturnType<typeof compileExpression>['evaluate']>[0];
type ItemResult = { readonly output: Json } | { readonly error: object };

function visible(fates: ReadonlyMap<string, Fate>): Record<string, Json> {
  return Object.fromEntries(
    [...fates].map(([id, { status, output, error }]) => [
      id,
      { status, output, error: error && { ...error } },
    ]),
  );
}

function isFatal(onError: OnError | undefined, fate: Fate | undefined): boolean {
  return onError !== 'continue' && fate?.status === 'failed';
}

function loopOf(node: NodeDefinition): LoopDefinition {
  return node.with as unknown as LoopDefinition;
}

/** Returns the final state of a node whose dependencies have ended. */
function fateAfter(
  node: NodeDefinition,
  needs: readonly Fate[],
  scope: () => Scope,
  run: (parameters: Json) => Fate,
): Fate {
  if (needs.length > 0 && needs.every(({ status }) => status === 'skipped')) return SKIPPED;
  let of = 'condition';
  try {
    if (node.if !== undefined) {
      const holds = compileExpression(node.if).evaluate(scope());
      if (holds === false) return SKIPPED;
      if (holds !== true) {
        const message = `The condition "${node.if}" evaluated to ${JSON.stringify(holds)}. A condition must evaluate to true or false.`;
        return { ...BROKEN, error: { code: 'expression_error', message } };
      }
    }
    of = 'parameters';
    const given: JsonObject = node.with ?? {};
    const once = node.type === 'loop' ? { items: given['items'] as Json } : given;
    return run(compileTemplate(once, 'with').template.render(scope()));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const message = `In the ${of} of "${node.id}": ${error.message}`;
    return { ...BROKEN, error: { code: error.code, message } };
  }
}

const BROKEN: Fate = { status: 'failed', output: null, error: null, attempt: 1 };

const SKIPPED: Fate = { status: 'skipped', output: null, error: null, attempt: 0 };

/** Returns the ids of the nodes on which a node depends, by `needs` or by references in expressions. */
export function needsOf(node: NodeDefinition): readonly string[] {
  const { needs = [], if: condition = '', with: parameters = {} } = node;
  const mentioned = `${condition} ${JSON.stringify(parameters)}`.matchAll(/nodes\.(\w+)/g);
  const own = new Set(node.type === 'loop' ? loopOf(node).nodes.map(({ id }) => id) : []);
  return [...new Set([...needs, ...[...mentioned].map((match) => match[1] as string)])].filter(
    (id) => !own.has(id),
  );
}

function endOf(
  nodes: readonly NodeDefinition[],
  output: Json | undefined,
  fates: ReadonlyMap<string, Fate>,
  scope: () => Scope,
  of: string,
): Expected['end'] {
  if (output !== undefined) {
    try {
      return { output: compileTemplate(output, 'output').template.render(scope()) };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const message = `In ${of}: ${error.message}`;
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
