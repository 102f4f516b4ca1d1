import type { Trigger } from './event.js';
import type { Json, JsonObject } from './json.js';
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
  /** For `retrying` and `waiting`: epoch milliseconds of the next wake-up; null waits for a signal alone. */
  readonly wakeAt: number | null;
  /** What woke the present attempt, where it had been suspended. */
  readonly resumption: Resumption | null;
}

/** An execution as its journal tells it. Made by `fold` and by nothing else. */
export interface ExecutionState {
  readonly status: ExecutionStatus;
  /** Sequence of the last event. */
  readonly sequence: number;
  readonly workflowVersion: number;
  readonly input: Json;
  readonly output: Json;
  readonly trigger: Trigger;
  readonly metadata: JsonObject;
  /** Nodes that the journal speaks of. */
  readonly nodes: NodeStates;
  /** Nodes completed, failed or skipped. */
  readonly settled: number;
  /** Nodes running now. */
  readonly running: number;
  readonly queuedAt: number;
  readonly startedAt: number | null;
  readonly timeoutAt: number | null;
  readonly recoveries: number;
}

/** Changes kept beside the rest: few enough to copy each time, many enough that the rest is copied rarely. */
const MAX_RECENT = 24;

/** States of nodes by id. It never changes: what changes it makes another, and mostly shares the rest with it. */
export class NodeStates implements Iterable<readonly [string, NodeState]> {
  static readonly NONE = new NodeStates(new Map(), new Map());

  private constructor(
    private readonly earlier: ReadonlyMap<string, NodeState>,
    /** Looked up first. */
    private readonly recent: ReadonlyMap<string, NodeState>,
  ) {}

  get(id: string): NodeState | undefined {
    return this.recent.get(id) ?? this.earlier.get(id);
  }

  with(changes: ReadonlyMap<string, NodeState>): NodeStates {
    const recent = merged(this.recent, changes);
    if (recent.size <= MAX_RECENT) return new NodeStates(this.earlier, recent);
    return new NodeStates(merged(this.earlier, recent), new Map());
  }

  /** In the order in which the journal first speaks of them. */
  [Symbol.iterator](): Iterator<readonly [string, NodeState]> {
    return merged(this.earlier, this.recent)[Symbol.iterator]();
  }
}

function merged<K, V>(first: ReadonlyMap<K, V>, then: ReadonlyMap<K, V>): ReadonlyMap<K, V> {
  const all = new Map(first);
  for (const [key, value] of then) all.set(key, value);
  return all;
}

export const PENDING: NodeState = {
  status: 'pending',
  attempt: 0,
  startedAt: null,
  output: null,
  error: null,
  wakeAt: null,
  resumption: null,
};

export function nodeState(state: ExecutionState, nodeId: string): NodeState {
  return state.nodes.get(nodeId) ?? PENDING;
}

export function isSettled(status: NodeStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}
