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

/** What expressions see besides the execution's own state. */
export interface Surroundings {
  readonly workflow: JsonObject;
  readonly execution: JsonObject;
  readonly session: JsonObject;
  /** Where long values are read; without it only those whose text is in memory. */
  readonly read?: ReadLongValue;
}

/**
 * The names an expression sees. Only the nodes it refers to are put in: a graph of 500 nodes costs an
 * expression no more than one of 3.
 * @param iteration the run of a loop's body that the expression stands in; it sees what the loop needs, too
 */
export function scopeOf(
  state: ExecutionState,
  nodeIds: readonly string[],
  surroundings: Surroundings,
  iteration: Iteration | null = null,
): ExpressionScope {
  const { workflow, execution, session, read = readTextInMemory } = surroundings;
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

/** A value, or why there is none as a node's error. */
export type Evaluated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: NodeError };

export function evaluated<T>(of: string, evaluate: () => T): Evaluated<T> {
  try {
    return { ok: true, value: evaluate() };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, error: { code: error.code, message: `In ${of}: ${error.message}` } };
  }
}

/** A document filled in, and its size as `checkSize` counts it. Throws `ExpressionError` where it is too large. */
export function rendered(
  template: Template,
  scope: ExpressionScope,
): { readonly value: Json; readonly size: number } {
  const value = template.render(scope);
  if (!template.isLiteral) return { value, size: checkSize(value) };
  const size = literalSizes.get(template) ?? checkSize(value);
  literalSizes.set(template, size);
  return { value, size };
}

/** Makes a text of what is certainly long: the journal need not measure it. */
export function longIfLarge(value: Json, size: number): RecordedValue {
  return size > INLINE_LIMIT ? LongValue.ofText(JSON.stringify(value)) : value;
}

const literalSizes = new WeakMap<Template, number>();

/** Whether the condition of a node holds. */
export function conditionHolds(
  condition: Expression,
  nodeId: string,
  scope: () => ExpressionScope,
): Evaluated<boolean> {
  const result = evaluated(`the condition of "${nodeId}"`, () => condition.evaluate(scope()));
  if (!result.ok) return result;
  if (typeof result.value === 'boolean') return { ok: true, value: result.value };
  const value = JSON.stringify(result.value).slice(0, 100);
  const message = `The condition "${condition.source}" gave ${value}; a condition gives true or false.`;
  return { ok: false, error: { code: 'expression_error', message } };
}

/** A `with` whose secrets are still to be filled in. */
export interface SecretInput {
  readonly nodeId: string;
  readonly template: Template;
  /** What the template reads besides secrets. */
  readonly scope: ExpressionScope;
  /** Of the secrets that it reads. */
  readonly names: readonly string[];
}

/** @param scope of the node; its long values are read now, since they may have left memory at the attempt */
export function secretInputOf({ id, with: template }: PlannedNode, scope: ExpressionScope): SecretInput {
  const { roots, nodes, secrets } = template.references;
  const outputs = scope['nodes'] as Readonly<Record<string, { readonly output: Json }>>;
  for (const node of nodes) void outputs[node]?.output;
  const read = [...roots].filter((root) => root !== 'secrets').map((root) => [root, scope[root]] as const);
  return { nodeId: id, template, scope: Object.fromEntries(read), names: [...secrets] };
}

/** The whole input of an attempt: never recorded, logged or shown. @param values of every name */
export function withSecrets(
  { nodeId, template, scope }: SecretInput,
  values: Readonly<Record<string, string>>,
): Evaluated<{ readonly value: Json; readonly size: number }> {
  return evaluated(`the parameters of "${nodeId}"`, () => rendered(template, { ...scope, secrets: values }));
}

/** What is recorded of the input: names in the place of values. Empty where they do not fit, as in `int(secrets.PIN)`. */
export function withSecretNames(input: SecretInput): { readonly value: JsonObject; readonly size: number } {
  const names = Object.fromEntries(input.names.map((name) => [name, `[secret ${name}]`]));
  const recorded = withSecrets(input, names);
  if (!recorded.ok) return { value: {}, size: 0 };
  return { value: recorded.value.value as JsonObject, size: recorded.value.size };
}

/**
 * What a graph gives once all of it is settled: its `output`, else the output of its last nodes. Their long outputs
 * are not read for it.
 */
export function graphOutput(
  { output, last }: PlannedGraph,
  of: string,
  state: ExecutionState,
  surroundings: Surroundings,
  iteration: Iteration | null = null,
): Evaluated<RecordedValue> {
  if (output !== null) {
    const nodeIds = [...output.references.nodes];
    return evaluated(of, () => {
      const { value, size } = rendered(output, scopeOf(state, nodeIds, surroundings, iteration));
      return iteration === null ? longIfLarge(value, size) : value;
    });
  }
  const outputs = last.map(({ id }) => [id, nodeState(state, id, iteration).output] as const);
  const [only, ...others] = outputs;
  if (only === undefined) return { ok: true, value: null };
  return { ok: true, value: others.length === 0 ? only[1] : objectOf(outputs) };
}
