import { ExpressionError, type ExpressionScope } from './expression.js';
import type { Json, JsonObject } from './json.js';
import type { NodeError } from './node-type.js';
import { type ExecutionState, nodeState } from './state.js';

/** What expressions see besides the execution's own state. */
export interface Surroundings {
  readonly workflow: JsonObject;
  readonly execution: JsonObject;
  readonly session: JsonObject;
  /** Values by name; only a node's `with` may use them. */
  readonly secrets: JsonObject;
}

/**
 * The names an expression sees. Only the nodes it refers to are put in: a graph of 500 nodes costs an
 * expression no more than one of 3.
 */
export function scopeOf(
  state: ExecutionState,
  nodeIds: readonly string[],
  surroundings: Surroundings,
): ExpressionScope {
  const nodes: Record<string, Json> = {};
  for (const id of nodeIds) {
    const { status, output, error } = nodeState(state, id);
    nodes[id] = { status, output, error: error === null ? null : { ...error } };
  }
  return { input: state.input, nodes, ...surroundings };
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
