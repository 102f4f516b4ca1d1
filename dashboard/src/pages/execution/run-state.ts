import { type ActiveTime, activeTimeAfter } from '../../../../src/active-time/index.ts';
import {
  type ExecutionError,
  executionTransition,
  isOccurrence,
  isOfNode,
  type NodeEventType,
  type Occurrence,
  type Progress,
  progressIn,
  stateKey,
} from '../../../../src/execution-events/index.ts';
import type { WorkflowEvent } from '../../api/index.ts';
import type { RunStatus } from '../../format/index.ts';
import { itemAt, type LoopRun, mapRuns, NO_ITEMS, withRun } from './loop-run.ts';
import { nodeAfter, interrupted, stopped, NOT_BEGUN, type NodeRun } from './node-run.ts';

/** State of an execution after the events that were applied so far. All times are in epoch milliseconds. */
export interface RunState {
  /** Sequence number of the last applied event; 0 before the first event. */
  readonly sequence: number;
  /** Time of the last applied event, in epoch milliseconds; 0 before the first event. */
  readonly at: number;
  readonly status: RunStatus;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Progress of the execution; null before an event reports progress. */
  readonly progress: Progress | null;
  readonly error: ExecutionError | null;
  /** Time that the execution used without its waits, and the limit of this time. Null if the timeout counts waits, too. */
  readonly active: ActiveTime | null;
  /** How often a process took over the execution after a crash. */
  readonly recoveries: number;
  /** State of each node outside loops that has at least one event, by node id. */
  readonly nodes: ReadonlyMap<string, NodeRun>;
  /** Items of each loop, by the node id of the loop. */
  readonly loops: ReadonlyMap<string, LoopRun>;
}

export const INITIAL_RUN_STATE: RunState = {
  sequence: 0,
  at: 0,
  status: 'queued',
  startedAt: null,
  endedAt: null,
  progress: null,
  error: null,
  active: null,
  recoveries: 0,
  nodes: new Map(),
  loops: new Map(),
};

/** Key of the node of an event: the node id, or `loop[3].id` inside a loop; null for an event without a node. */
export function keyOf({ node_id, data }: WorkflowEvent): string | null {
  if (node_id === null) return null;
  const { iteration = 0, iteration_of: loop } = data;
  return typeof loop === 'string' ? stateKey(node_id, loop, Number(iteration)) : node_id;
}

const ITERATION_KEY = /^(.+)\[(\d+)\]\.(.+)$/;

export function runOf({ nodes, loops }: RunState, key: string): NodeRun | undefined {
  const [, loop, iteration, id] = ITERATION_KEY.exec(key) ?? [];
  if (loop === undefined || id === undefined) return nodes.get(key);
  return itemAt(loops.get(loop) ?? NO_ITEMS, Number(iteration))?.nodes.get(id);
}

/**
 * Applies events to a state of an execution and returns the new state. The given state stays unchanged.
 * @param events the next events, ordered by sequence number
 */
export function fold(state: RunState, events: readonly WorkflowEvent[]): RunState {
  if (events.length === 0) return state;
  const within = { nodes: new Map(state.nodes), loops: new Map(state.loops) };
  let next = state;
  for (const event of events) next = after(next, event, within);
  return { ...next, ...within };
}

interface Within {
  readonly nodes: Map<string, NodeRun>;
  readonly loops: Map<string, LoopRun>;
}

function after(state: RunState, event: WorkflowEvent, within: Within): RunState {
  const at = Date.parse(event.created_at);
  const come = { ...state, sequence: event.sequence, at };
  // Event types that this version of the dashboard does not know are ignored. A newer version of the service may send
  // them.
  if (!isOccurrence(event)) return come;
  const progress = progressIn(event) ?? state.progress;
  if (isOfNode(event)) {
    take(event, at, within);
    return { ...come, progress, active: activeTimeAfter(state.active, event, at, state.status) };
  }
  const { status, error, marks, interrupts } = executionTransition(event, state.status);
  if (interrupts) changeAll(within, (node) => interrupted(node, at));
  if (marks === 'end') changeAll(within, (node) => stopped(node, at));
  return {
    ...come,
    progress,
    status,
    startedAt: marks === 'start' ? at : state.startedAt,
    endedAt: marks === 'end' ? at : state.endedAt,
    error: error ?? state.error,
    active: activeTimeAfter(state.active, event, at, status),
    recoveries: state.recoveries + Number(interrupts),
  };
}

function take(event: WorkflowEvent & Occurrence<NodeEventType>, at: number, { nodes, loops }: Within): void {
  const { node_id: id, iteration_of: loopId, iteration = 0 } = event.data;
  if (loopId === undefined) {
    nodes.set(id, nodeAfter(nodes.get(id) ?? { ...NOT_BEGUN, key: id }, event, at));
    return;
  }
  const loop = loops.get(loopId) ?? NO_ITEMS;
  const before = itemAt(loop, iteration)?.nodes.get(id) ?? {
    ...NOT_BEGUN,
    key: stateKey(id, loopId, iteration),
  };
  loops.set(loopId, withRun(loop, iteration, nodeAfter(before, event, at)));
}

function changeAll({ nodes, loops }: Within, change: (node: NodeRun) => NodeRun): void {
  for (const [id, node] of nodes) nodes.set(id, change(node));
  for (const [id, loop] of loops) loops.set(id, mapRuns(loop, change));
}
