import type { Trigger } from './event.js';
import { type Iteration, keyAt } from './iteration.js';
import type { Json, JsonObject } from './json.js';
import type { LoopState } from './loop-state.js';
import type { Awaited } from './message.js';
import type { NodeError, Resumption } from './node-type.js';

/** Where an execution is. The last four are final and never change again. */
export type ExecutionStatus =
  'queued' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled' | 'timed_out';

export const FINAL_STATUSES = [
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const satisfies readonly ExecutionStatus[];

export function isFinal(status: ExecutionStatus): boolean {
  return (FINAL_STATUSES as readonly ExecutionStatus[]).includes(status);
}

/** Where a node is. `completed`, `failed` and `skipped` are settled. */
export type NodeStatus = 'pending' | 'running' | 'retrying' | 'waiting' | 'completed' | 'failed' | 'skipped';

/** What the journal says of one node. A node it says nothing of is pending. */
export interface NodeState {
  readonly status: NodeStatus;
  /** The present or last attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Epoch milliseconds at which the present or last attempt began. */
  readonly startedAt: number | null;
  readonly output: Json;
  readonly error: NodeError | null;
  /** For `retrying` and `waiting`: epoch milliseconds of the next wake-up; null waits for a message alone. */
  readonly wakeAt: number | null;
  /** For `waiting`: the message that wakes it; null where only the timer does. */
  readonly awaits: Awaited | null;
  /** What woke the present attempt, where it had been suspended. */
  readonly resumption: Resumption | null;
  /** How far a node that iterates is; null where it does not run, and for all others. */
  readonly loop: LoopState | null;
}

/** An execution as its journal tells it. Made by `fold`; results of loops are put in by `compact`. */
export interface ExecutionState {
  readonly status: ExecutionStatus;
  /** Sequence of the last event. */
  readonly sequence: number;
  readonly workflowVersion: number;
  readonly input: Json;
  readonly output: Json;
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
  readonly timeoutAt: number | null;
  readonly recoveries: number;
}

/** Changes kept beside the rest: few enough to copy each time, many enough that the rest is copied rarely. */
const MAX_RECENT = 24;

/** States of nodes by `stateKey`. It never changes: what changes it makes another, and mostly shares the rest with it. */
export class NodeStates implements Iterable<readonly [string, NodeState]> {
  static readonly NONE = new NodeStates(new Map(), new Map());

  private constructor(
    private readonly earlier: ReadonlyMap<string, NodeState>,
    /** Looked up first. */
    private readonly recent: NodeChanges,
  ) {}

  get(key: string): NodeState | undefined {
    const recent = this.recent.get(key);
    return recent === undefined ? this.earlier.get(key) : (recent ?? undefined);
  }

  /** @param changes a state that is null is forgotten */
  with(changes: NodeChanges): NodeStates {
    if (changes.size === 0) return this;
    const recent = new Map(this.recent);
    for (const [key, state] of changes) recent.set(key, state);
    if (recent.size <= MAX_RECENT) return new NodeStates(this.earlier, recent);
    return new NodeStates(merged(this.earlier, recent), new Map());
  }

  /** In the order in which the journal first speaks of them. */
  [Symbol.iterator](): Iterator<readonly [string, NodeState]> {
    return merged(this.earlier, this.recent)[Symbol.iterator]();
  }
}

/** New states of nodes by `stateKey`; null where one is no longer needed. */
export type NodeChanges = ReadonlyMap<string, NodeState | null>;

function merged(
  states: ReadonlyMap<string, NodeState>,
  changes: NodeChanges,
): ReadonlyMap<string, NodeState> {
  const all = new Map(states);
  for (const [key, state] of changes) {
    if (state === null) all.delete(key);
    else all.set(key, state);
  }
  return all;
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

export function isSettled(status: NodeStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}
