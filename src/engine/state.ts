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

/** What the journal says of one node. A node it says nothing of is pending. */
export interface NodeState {
  readonly status: NodeStatus;
  /** The present or last attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Epoch milliseconds at which the present or last attempt began. */
  readonly startedAt: number | null;
  readonly output: RecordedValue;
  readonly error: NodeError | null;
  /** For `retrying` and `waiting`: epoch milliseconds of the next wake-up; null waits for a message alone. */
  readonly wakeAt: number | null;
  /** For `waiting`: the message that wakes it; null where only the timer does. */
  readonly awaits: Awaited | null;
  /** What woke the present attempt, where it had been suspended. */
  readonly resumption: RecordedResumption | null;
  /** How far a node that iterates is; null where it does not run, and for all others. */
  readonly loop: LoopState | null;
}

/** An execution as its journal tells it. Made by `fold`; results of loops are put in by `compact`. */
export interface ExecutionState {
  readonly status: ExecutionStatus;
  /** Sequence of the last event. */
  readonly sequence: number;
  readonly workflowVersion: number;
  readonly input: RecordedValue;
  readonly output: RecordedValue;
  readonly trigger: Trigger;
  readonly metadata: JsonObject;
  /** Nodes that the journal speaks of, by `stateKey`; of a loop's body what is not yet put in by its result. */
  readonly nodes: NodeStates;
  /** Nodes completed, failed or skipped; those inside of loops do not count. */
  readonly settled: number;
  /** Nodes running now; a loop itself does not count, what runs inside does. */
  readonly running: number;
  readonly queuedAt: number;
  /** Epoch milliseconds before which it does not start; null where nothing was said. */
  readonly scheduledFor: number | null;
  readonly startedAt: number | null;
  /** Epoch milliseconds at which the time of `timeout_seconds` is up; null while none of it counts. */
  readonly timeoutAt: number | null;
  /** The clock of an execution whose active time counts; null if the time counts from the start. */
  readonly active: ActiveTime | null;
  readonly recoveries: number;
}

/** Changes after which a map is copied, where it is not larger than this. */
const MIN_TAKEN = 64;

/**
 * States of nodes by `stateKey`. It never changes: what changes it makes another. That one takes the map over, and
 * leaves behind what it was before; so a change costs as much as it changes, and whoever still asks the older one,
 * which is rare, has it made again. After as many changes as there are states the map is copied, so that who keeps
 * an older one keeps no more than twice as much.
 */
export class NodeStates implements Iterable<readonly [string, NodeState]> {
  static readonly NONE = new NodeStates(new Map());

  // Hidden even from `Object.freeze`: where the map is says nothing of what the states are.
  #map: Map<string, NodeState>;
  #taken: Taken | null = null;
  /** Changes since the map was made. */
  readonly #age: number;

  private constructor(map: Map<string, NodeState>, age = 0) {
    this.#map = map;
    this.#age = age;
  }

  get(key: string): NodeState | undefined {
    return NodeStates.#mapOf(this).get(key);
  }

  /** @param changes a state that is null is forgotten */
  with(changes: NodeChanges): NodeStates {
    if (changes.size === 0) return this;
    const map = NodeStates.#mapOf(this);
    // NONE is everybody's, and what was forgotten does not come back to its place among the others.
    const isKept = map.size === 0 || [...changes.values()].includes(null);
    if (isKept || this.#age >= Math.max(MIN_TAKEN, map.size))
      return new NodeStates(put(changes, new Map(map)));
    const before = [...changes.keys()].map((key) => [key, map.get(key) ?? null] as const);
    const after = new NodeStates(put(changes, map), this.#age + changes.size);
    this.#taken = { by: after, before };
    return after;
  }

  /** In the order in which the journal first speaks of them. */
  [Symbol.iterator](): Iterator<readonly [string, NodeState]> {
    return [...NodeStates.#mapOf(this)][Symbol.iterator]();
  }

  /** The map of one; where it was taken over, another is made of what became of it. */
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

/** New states of nodes by `stateKey`; null where one is no longer needed. */
export type NodeChanges = ReadonlyMap<string, NodeState | null>;

/** Who has the map now, and how it was; null for what was not in it. */
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

/** @param iteration the run of a loop's body that the node stands in */
export function nodeState(
  state: ExecutionState,
  nodeId: string,
  iteration: Iteration | null = null,
): NodeState {
  return state.nodes.get(keyAt(nodeId, iteration)) ?? PENDING;
}

/** Whether an attempt is what its node is about: it is not where its loop came to an end without it. */
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

/** Whether something runs: a loop does not, what is inside does. */
export function isAttempt({ status, loop }: NodeState): boolean {
  return status === 'running' && loop === null;
}

/** Ids of the child executions that nodes wait for. */
export function awaitedChildren(state: ExecutionState): readonly string[] {
  const ids: string[] = [];
  for (const [, { status, awaits }] of state.nodes)
    if (status === 'waiting' && awaits?.kind === 'child') ids.push(awaits.id);
  return ids;
}
