import type { ActiveTime } from '../active-time/index.js';
import type {
  ExecutionStatus,
  NodeError,
  NodeStatus,
  RecordedResumption,
  Trigger,
} from '../execution-events/index.js';
import type { RecordedValue } from '../long-values/index.js';
import { type Iteration, keyAt } from './iteration.js';
import type { JsonObject } from '../expressions/index.js';
import type { LoopState } from './loop-state.js';
import type { Awaited } from './message.js';

/** State of one node, computed from the journal. A node without events is pending. */
export interface NodeState {
  readonly status: NodeStatus;
  /** Number of the current or last attempt, from 1; 0 before the first attempt. */
  readonly attempt: number;
  /** Epoch milliseconds at which the current or last attempt started; null before the first attempt. */
  readonly startedAt: number | null;
  readonly output: RecordedValue;
  readonly error: NodeError | null;
  /**
   * Only for `retrying` and `waiting`: epoch milliseconds of the next wake-up; null if only a message wakes the node.
   */
  readonly wakeAt: number | null;
  /** Only for `waiting`: the message that wakes the node; null if only the timer wakes the node. */
  readonly awaits: Awaited | null;
  /** The timer, signal or child that woke the current attempt; null if the attempt was not suspended. */
  readonly resumption: RecordedResumption | null;
  /** State of a running loop; null if the node is not a running loop. */
  readonly loop: LoopState | null;
}

/**
 * State of an execution, computed by `fold` from its journal. `compact` replaces ended items of loops by their results.
 */
export interface ExecutionState {
  readonly status: ExecutionStatus;
  /** Sequence of the last event that the state includes. */
  readonly sequence: number;
  readonly workflowVersion: number;
  readonly input: RecordedValue;
  readonly output: RecordedValue;
  readonly trigger: Trigger;
  readonly metadata: JsonObject;
  /**
   * States of nodes that have events, by `stateKey`. A node inside a loop is included until its item's result is
   * stored.
   */
  readonly nodes: NodeStates;
  /** Number of completed, failed or skipped nodes outside of loops. */
  readonly settled: number;
  /** Number of running attempts, including attempts inside loops. The loops themselves do not count. */
  readonly running: number;
  readonly queuedAt: number;
  /** Epoch milliseconds before which the execution must not start; null if the start was not scheduled. */
  readonly scheduledFor: number | null;
  readonly startedAt: number | null;
  /**
   * Epoch milliseconds at which `timeout_seconds` is used up; null before the start, and while active time does not
   * count.
   */
  readonly timeoutAt: number | null;
  /** Active time used so far, and its limit; null if the timeout counts elapsed time. */
  readonly active: ActiveTime | null;
  readonly recoveries: number;
}

/**
 * Minimum number of changes between two copies of a map, so that small maps are not copied often. A map with more
 * entries is copied after as many changes as it has entries.
 */
const MIN_CHANGES_BEFORE_COPY = 64;

/**
 * Immutable map of node states by `stateKey`. `with` moves the underlying `Map` to the new version, and the old version
 * keeps only the replaced entries. The cost of a change is therefore independent of the size of the map. Reading an old
 * version, which is rare, rebuilds its `Map`. After as many changes as the `Map` has entries, `with` copies the `Map`.
 * A retained old version therefore at most doubles the memory.
 */
export class NodeStates implements Iterable<readonly [string, NodeState]> {
  static readonly NONE = new NodeStates(new Map());

  // `#map` is a private field, because `Object.freeze` does not affect private fields. `#map` changes when the `Map`
  // moves to another version, although the visible value stays the same.
  #map: Map<string, NodeState>;
  #successor: Successor | null = null;
  /** Number of changes since the underlying `Map` was copied. */
  readonly #changesSinceCopy: number;

  private constructor(map: Map<string, NodeState>, changesSinceCopy = 0) {
    this.#map = map;
    this.#changesSinceCopy = changesSinceCopy;
  }

  get(key: string): NodeState | undefined {
    return NodeStates.#mapOf(this).get(key);
  }

  /**
   * Returns a new version of the map with the changes applied.
   * @param changes new states by key; null removes a state
   */
  with(changes: NodeChanges): NodeStates {
    if (changes.size === 0) return this;
    const map = NodeStates.#mapOf(this);
    // The empty `Map` is copied, because all executions share it. A removal also copies the `Map`, because undoing a
    // removal would change the order of the entries.
    const mustCopy = map.size === 0 || [...changes.values()].includes(null);
    if (mustCopy || this.#changesSinceCopy >= Math.max(MIN_CHANGES_BEFORE_COPY, map.size))
      return new NodeStates(put(changes, new Map(map)));
    const replaced = [...changes.keys()].map((key) => [key, map.get(key) ?? null] as const);
    const after = new NodeStates(put(changes, map), this.#changesSinceCopy + changes.size);
    this.#successor = { states: after, replaced };
    return after;
  }

  /** Iterates over the node states in the order of the nodes' first events. */
  [Symbol.iterator](): Iterator<readonly [string, NodeState]> {
    return [...NodeStates.#mapOf(this)][Symbol.iterator]();
  }

  /**
   * Returns the `Map` of a version. If a newer version has taken the `Map`, the `Map` is rebuilt by undoing the later
   * changes.
   */
  static #mapOf(states: NodeStates): Map<string, NodeState> {
    if (states.#successor === null) return states.#map;
    const steps: Successor['replaced'][] = [];
    let newest = states;
    while (newest.#successor !== null) {
      steps.push(newest.#successor.replaced);
      newest = newest.#successor.states;
    }
    states.#map = new Map(newest.#map);
    states.#successor = null;
    for (const replaced of steps.reverse()) put(replaced, states.#map);
    return states.#map;
  }
}

/** New node states by `stateKey`; null removes a state. */
export type NodeChanges = ReadonlyMap<string, NodeState | null>;

/**
 * The newer version of the node states that took over the `Map`, and the previous values of the entries that it
 * replaced. A previous value is null if the key did not exist.
 */
interface Successor {
  readonly states: NodeStates;
  readonly replaced: readonly (readonly [string, NodeState | null])[];
}

function put(
  changes: Iterable<readonly [string, NodeState | null]>,
  map: Map<string, NodeState>,
): Map<string, NodeState> {
  for (const [key, state] of changes) {
    if (state === null) map.delete(key);
    else map.set(key, state);
  }
  return map;
}

export const PENDING: NodeState = {
  status: 'pending',
  attempt: 0,
  startedAt: null,
  output: null,
  error: null,
  wakeAt: null,
  awaits: null,
  resumption: null,
  loop: null,
};

/**
 * Returns the state of a node, which is pending if the node has no events.
 * @param iteration the loop iteration of the node
 */
export function nodeState(
  state: ExecutionState,
  nodeId: string,
  iteration: Iteration | null = null,
): NodeState {
  return state.nodes.get(keyAt(nodeId, iteration)) ?? PENDING;
}

/**
 * Whether an attempt is still running. If a loop has ended, the attempts inside the loop no longer count as running.
 */
export function isUnderWay(
  state: ExecutionState,
  of: {
    readonly node: { readonly id: string };
    readonly attempt: number;
    readonly iteration: Iteration | null;
  },
): boolean {
  const { status, attempt } = nodeState(state, of.node.id, of.iteration);
  return status === 'running' && attempt === of.attempt;
}

/** Whether a node has a running attempt. A running loop does not count as an attempt. */
export function hasRunningAttempt({ status, loop }: NodeState): boolean {
  return status === 'running' && loop === null;
}

/** Returns the ids of the child executions for which nodes wait. */
export function awaitedChildren(state: ExecutionState): readonly string[] {
  const ids: string[] = [];
  for (const [, { status, awaits }] of state.nodes)
    if (status === 'waiting' && awaits?.kind === 'child') ids.push(awaits.id);
  return ids;
}
