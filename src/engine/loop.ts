import { isSettled, type NodeError } from '../execution-events/index.js';
import { LongValue, readTextInMemory, type RecordedValue } from '../long-values/index.js';
import { DEFAULT_ITEMS_AT_ONCE, LIMITS } from './definition.js';
import { type Evaluated, graphOutput, type EvaluationContext } from './evaluation.js';
import { describeKind, isList, type Json, type JsonObject } from '../expressions/index.js';
import { type Iteration, keyAt } from './iteration.js';
import type { ItemResults, LoopInput, LoopState } from './loop-state.js';
import { MAX_OUTPUT, outputTooLarge } from '../node-contract/index.js';
import type { Plan } from './plan.js';
import type { PlannedLoop } from './planned-node.js';
import { type ExecutionState, type NodeChanges, type NodeState, nodeState } from './state.js';

export interface RunningLoop {
  readonly node: PlannedLoop;
  readonly own: NodeState;
  readonly loop: LoopState;
}

/** The result of a loop that has ended: its output, or its error. */
export type LoopEnd =
  | { readonly kind: 'output'; readonly output: readonly Json[] }
  | { readonly kind: 'failure'; readonly error: NodeError };

/** Minimum interval in milliseconds between two progress events of a loop. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Returns the parameters of a loop with defaults filled in, or an error if one of the parameters is invalid. */
export function loopInput({ items, max_concurrency }: JsonObject): Evaluated<LoopInput> {
  const atOnce = max_concurrency ?? DEFAULT_ITEMS_AT_ONCE;
  if (!isList(items ?? null))
    return invalidParameter(
      'with.items',
      `\`items\` must be a list, but it is ${describeKind(items ?? null)}.`,
    );
  const list = items as readonly Json[];
  if (list.length > LIMITS.items)
    return invalidParameter(
      'with.items',
      `\`items\` has ${list.length} elements. The maximum is ${LIMITS.items}.`,
    );
  if (typeof atOnce !== 'number' || !Number.isInteger(atOnce) || atOnce < 1 || atOnce > LIMITS.itemsAtOnce)
    return invalidParameter(
      'with.max_concurrency',
      `\`max_concurrency\` must be a whole number from 1 to ${LIMITS.itemsAtOnce}.`,
    );
  return { ok: true, value: { items: list, max_concurrency: atOnce } };
}

function invalidParameter(field: string, message: string): Evaluated<never> {
  const details = { errors: [{ field, code: 'invalid', reason: message }] };
  return { ok: false, error: { code: 'invalid_parameters', message, details } };
}

/** Returns the running loop of a node; null if the node is not running. */
export function runningLoop(state: ExecutionState, node: PlannedLoop): RunningLoop | null {
  const own = nodeState(state, node.id);
  return own.loop === null ? null : { node, own, loop: own.loop };
}

export function iterationOf({ node, loop }: RunningLoop, index: number): Iteration {
  return { of: node, index, item: loop.items[index] as Json };
}

/**
 * Why an item of a loop failed. `nodeId` is the failed node; null if the item's output template could not be rendered.
 */
interface ItemFailure {
  readonly nodeId: string | null;
  readonly error: NodeError;
}

/**
 * Returns the first failure of a node in an item; null if no node of the item failed. Nodes with `on_error: continue`
 * do not count.
 */
export function itemFailure(
  state: ExecutionState,
  { body }: PlannedLoop,
  iteration: Iteration,
): ItemFailure | null {
  for (const { id, onError } of body.order) {
    const { status, error } = nodeState(state, id, iteration);
    if (status === 'failed' && onError === 'fail' && error !== null) return { nodeId: id, error };
  }
  return null;
}

/** Returns the result of a loop's item: its output or its failure; null if the item has not ended. */
function itemResult(
  state: ExecutionState,
  node: PlannedLoop,
  iteration: Iteration,
  evaluation: EvaluationContext,
): { readonly output: Json } | ItemFailure | null {
  const { body } = node;
  const failure = itemFailure(state, node, iteration);
  const statuses = body.order.map(({ id }) => nodeState(state, id, iteration).status);
  // A failed item starts no further nodes. If the loop has `on_error: continue`, the item ends when its running nodes
  // have ended.
  if (failure !== null)
    return body.onItemError === 'continue' && statuses.includes('running') ? null : failure;
  if (!statuses.every(isSettled)) return null;
  const subject = `the output of item ${iteration.index} of "${node.id}"`;
  if (body.output === null) return { output: lastOutputs(node, state, evaluation, iteration) };
  const output = graphOutput(body, subject, state, evaluation, iteration);
  if (!output.ok) return { nodeId: null, error: output.error };
  return { output: read(output.value, evaluation) };
}

/**
 * Returns the result of an item if the loop has no `output` template: the output of the node that no other node needs.
 * If the body has several such nodes, returns their outputs by node id.
 */
function lastOutputs(
  { body }: PlannedLoop,
  state: ExecutionState,
  evaluation: EvaluationContext,
  iteration: Iteration,
): Json {
  const outputs = Object.fromEntries(
    body.last.map(({ id }) => [id, read(nodeState(state, id, iteration).output, evaluation)] as const),
  );
  const [first, ...others] = Object.values(outputs);
  // A body has at least one node, so it also has a node that no other node needs.
  return others.length === 0 ? (first as Json) : outputs;
}

function read(value: RecordedValue, { read: readLong = readTextInMemory }: EvaluationContext): Json {
  return value instanceof LongValue ? readLong(value) : value;
}

/**
 * Replaces the node states of ended items by their results, so that a loop needs memory only for running items and
 * results. Records no event, because a replay of the journal computes equal results.
 */
export function withResults(
  state: ExecutionState,
  running: RunningLoop,
  evaluation: EvaluationContext,
): { readonly state: ExecutionState; readonly running: RunningLoop; readonly end: LoopEnd | null } {
  const { changes, ...results } = resultsOf(state, running, evaluation);
  return { state: withNodeChanges(state, changes), ...results };
}

/** Returns the results of ended items, and the changes of node states that replace these items by their results. */
function resultsOf(
  state: ExecutionState,
  running: RunningLoop,
  evaluation: EvaluationContext,
): { readonly changes: NodeChanges; readonly running: RunningLoop; readonly end: LoopEnd | null } {
  const { node, own, loop } = running;
  const changes = new Map<string, NodeState | null>();
  const open: number[] = [];
  let { results } = loop;
  let failure: NodeError | null = null;
  for (const index of loop.open) {
    const iteration = iterationOf(running, index);
    const result = itemResult(state, node, iteration, evaluation);
    const isFatal = result !== null && 'error' in result && node.body.onItemError === 'fail';
    if (isFatal) failure ??= itemFailed(result, index);
    if (result === null || isFatal) open.push(index);
    else {
      results = results.with(index, 'error' in result ? errorResult(result) : result.output);
      for (const { id } of node.body.order) changes.set(keyAt(id, iteration), null);
    }
  }
  const end = endOf(results, loop.items.length, failure);
  if (changes.size === 0) return { changes, running, end };
  const after = { ...loop, open, results };
  changes.set(node.id, { ...own, loop: after });
  return { changes, running: { ...running, loop: after }, end };
}

function withNodeChanges(state: ExecutionState, changes: NodeChanges): ExecutionState {
  return changes.size === 0 ? state : { ...state, nodes: state.nodes.with(changes) };
}

function endOf(results: ItemResults, items: number, failure: NodeError | null): LoopEnd | null {
  if (failure !== null) return { kind: 'failure', error: failure };
  if (results.length > MAX_OUTPUT) return { kind: 'failure', error: outputTooLarge(results.length) };
  return results.count === items ? { kind: 'output', output: results.toList() } : null;
}

function itemFailed({ nodeId, error }: ItemFailure, index: number): NodeError {
  return {
    code: 'item_failed',
    message: `Item ${index} failed${nodeId === null ? '' : ` in "${nodeId}"`}: ${error.message}`,
    details: { index, node_id: nodeId, error: { ...error } },
  };
}

/** Returns the element that represents a failed item in the results of a loop with `on_error: continue`. */
function errorResult({ nodeId, error: { code, message, ...details } }: ItemFailure): Json {
  return { error: { code, message, node_id: nodeId, ...details } };
}

/**
 * Returns the progress of a loop to record; null if the progress is unchanged, or was recorded less than a second ago.
 */
export function progressToRecord(
  { loop: { items, results, told: lastProgress } }: RunningLoop,
  now: number,
): { readonly fraction: number; readonly message: string } | null {
  const fraction = results.count / items.length;
  if (fraction === lastProgress.fraction || now - lastProgress.at < PROGRESS_INTERVAL_MS) return null;
  return { fraction, message: `${results.count} of ${items.length}` };
}

/**
 * Replaces the ended items of all loops by their results. A replay calls this function after each batch, so that memory
 * holds at most one batch and the states that are still needed.
 */
export function compact(plan: Plan, state: ExecutionState, evaluation: EvaluationContext): ExecutionState {
  // The changes of all loops are applied together, because removing node states copies the whole map. The order of the
  // loops does not matter, because no loop reads the results of another loop.
  const changes = plan.loops.flatMap((node) => {
    const running = runningLoop(state, node);
    return running === null ? [] : [...resultsOf(state, running, evaluation).changes];
  });
  return withNodeChanges(state, new Map(changes));
}
