import type { WorkflowEvent } from '../../api/index.ts';
import { RUN_STATUSES, type RunStatus } from '../../format/index.ts';
import { itemAt, type LoopRun, mapRuns, NO_ITEMS, withRun } from './loop-run.ts';
import { nodeAfter, interrupted, stopped, NOT_BEGUN, type NodeRun } from './node-run.ts';

export interface RunError {
  readonly type: string;
  readonly message: string;
  readonly node_id: string | null;
  readonly details?: unknown;
}

/** What a run has come to after some of its events. Times are epoch milliseconds. */
export interface RunState {
  /** Of the last event; 0 before the first. */
  readonly sequence: number;
  /** When the last event was. */
  readonly at: number;
  readonly status: RunStatus;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Nodes settled out of all; null until an event tells. */
  readonly progress: { readonly completed: number; readonly total: number } | null;
  readonly error: RunError | null;
  /** How often it went on after its process was lost. */
  readonly recoveries: number;
  /** Nodes that something happened to, by id; those inside of loops are not among them. */
  readonly nodes: ReadonlyMap<string, NodeRun>;
  /** The items of loops, by the loop's id. */
  readonly loops: ReadonlyMap<string, LoopRun>;
}

export const NOTHING: RunState = {
  sequence: 0,
  at: 0,
  status: 'queued',
  startedAt: null,
  endedAt: null,
  progress: null,
  error: null,
  recoveries: 0,
  nodes: new Map(),
  loops: new Map(),
};

/** The key of a node: its id, or inside of a loop `loop[3].id`. */
export function keyOf({ node_id, data }: WorkflowEvent): string | null {
  if (node_id === null) return null;
  const { iteration, iteration_of: loop } = data;
  return typeof loop === 'string' ? iterationKey(loop, Number(iteration ?? 0), node_id) : node_id;
}

export function iterationKey(loop: string, iteration: number, nodeId: string): string {
  return `${loop}[${iteration}].${nodeId}`;
}

const ITERATION_KEY = /^(.+)\[(\d+)\]\.(.+)$/;

/** What became of a node so far, by its key. */
export function runOf({ nodes, loops }: RunState, key: string): NodeRun | undefined {
  const [, loop, iteration, id] = ITERATION_KEY.exec(key) ?? [];
  if (loop === undefined || id === undefined) return nodes.get(key);
  return itemAt(loops.get(loop) ?? NO_ITEMS, Number(iteration))?.nodes.get(id);
}

/**
 * What a run comes to by more events: `fold(fold(s, a), b)` is `fold(s, [...a, ...b])`.
 * @param events in the order of their sequences, following on the state; the given state is not changed
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
  const { data, sequence } = event;
  const at = Date.parse(event.created_at);
  take(event, within);
  // Inside of a loop, progress is the loop's own.
  const progress = data['iteration_of'] === undefined ? progressIn(data['progress']) : null;
  const come = { ...state, sequence, at, progress: progress ?? state.progress };
  switch (event.type) {
    case 'workflow.queued':
    case 'workflow.waiting':
    case 'workflow.paused':
    case 'workflow.resumed':
      return { ...come, status: statusIn(data['status'], state.status) };
    case 'workflow.started':
      return { ...come, status: 'running', startedAt: at };
    case 'workflow.recovered':
      changeAll(within, (node) => interrupted(node, at));
      return {
        ...come,
        status: state.status === 'waiting' ? 'running' : state.status,
        recoveries: state.recoveries + 1,
      };
    case 'workflow.completed':
    case 'workflow.failed':
    case 'workflow.cancelled':
      changeAll(within, (node) => stopped(node, at));
      return {
        ...come,
        status: statusIn(data['status'], state.status),
        endedAt: at,
        error: errorIn(data['error']),
      };
    default:
      return come;
  }
}

/** Lets an event change the node that it is about. */
function take(event: WorkflowEvent, { nodes, loops }: Within): void {
  const { node_id: id, data } = event;
  if (id === null) return;
  const { iteration_of: loopId } = data;
  if (typeof loopId !== 'string') {
    nodes.set(id, nodeAfter(nodes.get(id) ?? { ...NOT_BEGUN, key: id }, event));
    return;
  }
  const iteration = Number(data['iteration'] ?? 0);
  const loop = loops.get(loopId) ?? NO_ITEMS;
  const before = itemAt(loop, iteration)?.nodes.get(id) ?? {
    ...NOT_BEGUN,
    key: iterationKey(loopId, iteration, id),
  };
  loops.set(loopId, withRun(loop, iteration, nodeAfter(before, event)));
}

function changeAll({ nodes, loops }: Within, change: (node: NodeRun) => NodeRun): void {
  for (const [id, node] of nodes) nodes.set(id, change(node));
  for (const [id, loop] of loops) loops.set(id, mapRuns(loop, change));
}

function statusIn(value: unknown, otherwise: RunStatus): RunStatus {
  return RUN_STATUSES.find((status) => status === value) ?? otherwise;
}

function progressIn(value: unknown): RunState['progress'] {
  return typeof value === 'object' && value !== null && 'completed' in value && 'total' in value
    ? { completed: Number(value.completed), total: Number(value.total) }
    : null;
}

function errorIn(value: unknown): RunError | null {
  return typeof value === 'object' && value !== null && 'message' in value ? (value as RunError) : null;
}
