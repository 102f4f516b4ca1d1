import {
  type RecordedValue,
  INLINE_LIMIT,
  LongValue,
  objectOf,
  type ReadLongValue,
  readTextInMemory,
  withLazyField,
} from '../long-values/index.js';
import { type NodeError } from '../execution-events/index.js';
import {
  type Expression,
  ExpressionError,
  type ExpressionScope,
  checkSize,
  type Json,
  type JsonObject,
  type Template,
} from '../expressions/index.js';
import type { Iteration } from './iteration.js';
import type { PlannedGraph, PlannedNode } from './planned-node.js';
import { type ExecutionState, nodeState } from './state.js';

/** Values that expressions can read in addition to the state of the execution. */
export interface EvaluationContext {
  readonly workflow: JsonObject;
  readonly execution: JsonObject;
  readonly session: JsonObject;
  /** Reads a long value. Without this function, expressions can use only long values whose text is in memory. */
  readonly read?: ReadLongValue;
}

/**
 * Returns the values that an expression can read. The scope contains only nodes that the expression
 * references, so a larger graph does not make an evaluation slower. Inside a loop, the scope also contains
 * the nodes that the loop needs.
 * @param iteration loop iteration in which the expression is evaluated; null outside of loops
 */
export function scopeOf(
  state: ExecutionState,
  nodeIds: readonly string[],
  evaluation: EvaluationContext,
  iteration: Iteration | null = null,
): ExpressionScope {
  const { workflow, execution, session, read = readTextInMemory } = evaluation;
  const nodes: Record<string, object> = {};
  const put = (ids: readonly string[], where: Iteration | null): void => {
    for (const id of ids) {
      const { status, output, error } = nodeState(state, id, where);
      const shown = error === null ? null : { ...error };
      nodes[id] =
        output instanceof LongValue
          ? Object.assign(withLazyField({ status }, 'output', output, read), { error: shown })
          : { status, output, error: shown };
    }
  };
  put(nodeIds, iteration);
  if (iteration !== null) put(iteration.of.needs, null);
  const item = iteration === null ? {} : { item: iteration.item, index: iteration.index };
  const { input } = state;
  if (!(input instanceof LongValue)) return { nodes, ...item, workflow, execution, session, input };
  return withLazyField({ nodes, ...item, workflow, execution, session }, 'input', input, read);
}

/** A value, or the node error that explains why there is no value. */
export type Evaluated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: NodeError };

/**
 * Returns the value of `evaluate`, or a node error if an expression fails.
 * @param subject what is evaluated, for the message of the error
 */
export function tryEvaluate<T>(subject: string, evaluate: () => T): Evaluated<T> {
  try {
    return { ok: true, value: evaluate() };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, error: { code: error.code, message: `In ${subject}: ${error.message}` } };
  }
}

/**
 * Renders a template. Returns the value and its size: the length of all strings and keys, plus 1 for each JSON value.
 * @throws ExpressionError if an expression fails or the result is too large
 */
export function renderWithSize(
  template: Template,
  scope: ExpressionScope,
): { readonly value: Json; readonly size: number } {
  const value = template.render(scope);
  if (!template.isLiteral) return { value, size: checkSize(value) };
  const size = literalSizes.get(template) ?? checkSize(value);
  literalSizes.set(template, size);
  return { value, size };
}

/**
 * Converts a value over `INLINE_LIMIT` to a `LongValue`. The `LongValue` keeps the JSON text, so the journal does not
 * serialize the value again.
 */
export function longIfLarge(value: Json, size: number): RecordedValue {
  return size > INLINE_LIMIT ? LongValue.ofText(JSON.stringify(value)) : value;
}

const literalSizes = new WeakMap<Template, number>();

/** Evaluates the condition of a node. Returns a node error if the evaluation fails or the value is not a boolean. */
export function evaluateCondition(
  condition: Expression,
  nodeId: string,
  scope: () => ExpressionScope,
): Evaluated<boolean> {
  const result = tryEvaluate(`the condition of "${nodeId}"`, () => condition.evaluate(scope()));
  if (!result.ok) return result;
  if (typeof result.value === 'boolean') return { ok: true, value: result.value };
  const value = JSON.stringify(result.value).slice(0, 100);
  const message = `The condition "${condition.source}" evaluated to ${value}. A condition must evaluate to true or false.`;
  return { ok: false, error: { code: 'expression_error', message } };
}

/** Parameters of an attempt that still lack the values of secrets. */
export interface SecretInput {
  readonly nodeId: string;
  readonly template: Template;
  /** Values that the expressions of the parameters read, except secrets. */
  readonly scope: ExpressionScope;
  /** Names of the secrets that the expressions of the parameters read. */
  readonly names: readonly string[];
}

/**
 * Collects what `withSecrets` needs to render the parameters of a node.
 * @param scope scope of the node. The long values in the scope are read now, because their text may no longer be in
 * memory when the attempt runs.
 */
export function secretInputOf({ id, with: template }: PlannedNode, scope: ExpressionScope): SecretInput {
  const { roots, nodes, secrets } = template.references;
  const outputs = scope['nodes'] as Readonly<Record<string, { readonly output: Json }>>;
  for (const node of nodes) void outputs[node]?.output;
  const read = [...roots].filter((root) => root !== 'secrets').map((root) => [root, scope[root]] as const);
  return { nodeId: id, template, scope: Object.fromEntries(read), names: [...secrets] };
}

/**
 * Renders the complete input of an attempt, with the values of secrets. The result must not be recorded, logged or
 * shown.
 * @param values secrets by name; must contain every name of `input.names`
 */
export function withSecrets(
  { nodeId, template, scope }: SecretInput,
  values: Readonly<Record<string, string>>,
): Evaluated<{ readonly value: Json; readonly size: number }> {
  return tryEvaluate(`the parameters of "${nodeId}"`, () =>
    renderWithSize(template, { ...scope, secrets: values }),
  );
}

/**
 * Renders the input as the journal records it, with placeholders such as `[secret PIN]` instead of the values of
 * secrets. Returns an empty input if an expression fails with a placeholder, as `int(secrets.PIN)` does.
 */
export function withSecretNames(input: SecretInput): { readonly value: JsonObject; readonly size: number } {
  const names = Object.fromEntries(input.names.map((name) => [name, `[secret ${name}]`]));
  const recorded = withSecrets(input, names);
  if (!recorded.ok) return { value: {}, size: 0 };
  return { value: recorded.value.value as JsonObject, size: recorded.value.size };
}

/**
 * Returns the output of a graph whose nodes have all ended: the rendered `output` template of the graph. Without a
 * template, returns the output of the nodes that no other node needs, with references to long outputs.
 */
export function graphOutput(
  { output, last }: PlannedGraph,
  subject: string,
  state: ExecutionState,
  evaluation: EvaluationContext,
  iteration: Iteration | null = null,
): Evaluated<RecordedValue> {
  if (output !== null) {
    const nodeIds = [...output.references.nodes];
    return tryEvaluate(subject, () => {
      const { value, size } = renderWithSize(output, scopeOf(state, nodeIds, evaluation, iteration));
      return iteration === null ? longIfLarge(value, size) : value;
    });
  }
  const outputs = last.map(({ id }) => [id, nodeState(state, id, iteration).output] as const);
  const [only, ...others] = outputs;
  if (only === undefined) return { ok: true, value: null };
  return { ok: true, value: others.length === 0 ? only[1] : objectOf(outputs) };
}
