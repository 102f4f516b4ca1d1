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

/** State of one node according to the journal. A node without events is pending. */
export interface NodeState {
  readonly status: NodeStatus;
  /** Number of the current or last attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** When the current or last attempt began, in epoch milliseconds. */
  readonly startedAt: number | null;
  readonly output: RecordedValue;
  readonly error: NodeError | null;
  /** For `retrying` and `waiting`: next wake-up, in epoch milliseconds; null if only a message wakes it. */
  readonly wakeAt: number | null;
  /** For `waiting`: the message that wakes it; null if only the timer does. */
  readonly awaits: Awaited | null;
  /** What woke the current attempt; null if it was not suspended. */
  readonly resumption: RecordedResumption | null;
  /** State of a running loop; null for all other nodes. */
  readonly loop: LoopState | null;
}

/**
 * State of an execution, computed from its journal by `fold`. `compact` replaces finished items of loops by their
 * results.
 */
export interface ExecutionState {
  readonly status: ExecutionStatus;
  /** Sequence of the last event. */
  readonly sequence: number;
  readonly workflowVersion: number;
  readonly input: RecordedValue;
  readonly output: RecordedValue;
  readonly trigger: Trigger;
  readonly metadata: JsonObject;
  /** Nodes with events, by `stateKey`. Inside loops, only nodes of items whose result is not stored yet. */
  readonly nodes: NodeStates;
  /** Number of completed, failed or skipped nodes, except those inside loops. */
  readonly settled: number;
  /** Number of running attempts, including those inside loops. A loop itself does not count. */
  readonly running: number;
  readonly queuedAt: number;
  /** Earliest start, in epoch milliseconds; null if none was requested. */
  readonly scheduledFor: number | null;
  readonly startedAt: number | null;
  /** Epoch milliseconds at which the time of `timeout_seconds` is up; null while none of it counts. */
  readonly timeoutAt: number | null;
  /** The clock of an execution whose active time counts; null if the time counts from the start. */
  readonly active: ActiveTime | null;
  readonly recoveries: number;
}

/**
 * Minimum number of changes before a map is copied; larger maps are copied after as many changes as they have entries.
 */
const MIN_TAKEN = 64;

/**
 * Immutable map of node states by `stateKey`. `with` moves the underlying map to the new version and keeps the replaced
 * entries in the old one. A change therefore costs only its own size. Reading an old version, which is rare, rebuilds
 * its map. After as many changes as it has entries the map is copied, so a retained old version at most doubles its
 * memory.
 */
export class NodeStates implements Iterable<readonly [string, NodeState]> {
  static readonly NONE = new NodeStates(new Map());

  // A private field, so that `Object.freeze` does not affect it: moving the map does not change the visible value.
  #map: Map<string, NodeState>;
  #taken: Taken | null = null;
  /** Number of changes since the map was copied. */
  readonly #age: number;

  private constructor(map: Map<string, NodeState>, age = 0) {
    this.#map = map;
    this.#age = age;
  }

  get(key: string): NodeState | undefined {
    return NodeStates.#mapOf(this).get(key);
  }

  /** @param changes new states by key; null removes a state */
  with(changes: NodeChanges): NodeStates {
    if (changes.size === 0) return this;
    const map = NodeStates.#mapOf(this);
    // Copy if `NONE` would change, since it is shared, or a state is removed, since restoring it would lose its order.
    const isKept = map.size === 0 || [...changes.values()].includes(null);
    if (isKept || this.#age >= Math.max(MIN_TAKEN, map.size))
      return new NodeStates(put(changes, new Map(map)));
    const before = [...changes.keys()].map((key) => [key, map.get(key) ?? null] as const);
    const after = new NodeStates(put(changes, map), this.#age + changes.size);
    this.#taken = { by: after, before };
    return after;
  }

  /** In the order of their first events. */
  [Symbol.iterator](): Iterator<readonly [string, NodeState]> {
    return [...NodeStates.#mapOf(this)][Symbol.iterator]();
  }

  /** The map of a version. If a newer version took it over, it is rebuilt by undoing the later changes. */
  static #mapOf(states: NodeStates): Map<string, NodeState> {
    if (states.#taken === null) return states.#map;
    const steps: Taken['before'][] = [];
    let newest = states;
    while (newest.#taken !== null) {
      steps.push(newest.#taken.before);
      newest = newest.#taken.by;
    }
    states.#map = new Map(newest.#map);
    states.#taken = null;
    for (const before of steps.reverse()) put(before, states.#map);
    return states.#map;
  }
}

/** New node states by `stateKey`; null removes a state. */
export type NodeChanges = ReadonlyMap<string, NodeState | null>;

/** The version that took over the map, and the entries that it replaced; null for keys that were absent. */
interface Taken {
  readonly by: NodeStates;
  readonly before: readonly (readonly [string, NodeState | null])[];
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

/** @param iteration the loop iteration of the node */
export function nodeState(
  state: ExecutionState,
  nodeId: string,
  iteration: Iteration | null = null,
): NodeState {
  return state.nodes.get(keyAt(nodeId, iteration)) ?? PENDING;
}

/** Whether an attempt is still current. It is not if its loop ended before it did. */
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

/** Whether the node has a running attempt. Loops have none themselves. */
export function isAttempt({ status, loop }: NodeState): boolean {
  return status === 'running' && loop === null;
}

/** Ids of the child executions that waiting nodes wait for. */
export function awaitedChildren(state: ExecutionState): readonly string[] {
  const ids: string[] = [];
  for (const [, { status, awaits }] of state.nodes)
    if (status === 'waiting' && awaits?.kind === 'child') ids.push(awaits.id);
  return ids;
}
