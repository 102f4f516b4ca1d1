import { assertNever } from './assert-never.js';
import type { JournalEvent } from './event.js';
import { type ExecutionState, isSettled, type NodeState, nodeState, PENDING } from './state.js';

/** Before the first event. */
const NOTHING: ExecutionState = {
  status: 'queued',
  sequence: 0,
  workflowVersion: 0,
  input: null,
  output: null,
  trigger: { type: 'api', id: null },
  metadata: {},
  nodes: new Map(),
  settled: 0,
  running: 0,
  queuedAt: 0,
  startedAt: null,
  timeoutAt: null,
  recoveries: 0,
};

/**
 * What a journal comes to. `fold(b, fold(a))` is `fold([...a, ...b])`, so a run keeps its state and folds in
 * only what is new. The given state is not changed.
 */
export function fold(events: readonly JournalEvent[], from: ExecutionState = NOTHING): ExecutionState {
  if (events.length === 0) return from;
  const nodes = new Map(from.nodes);
  let state: ExecutionState = { ...from, nodes };
  for (const event of events) {
    state = { ...state, ...executionChange(event, state), sequence: state.sequence + 1 };
    const change = nodeChange(event, state);
    if (change !== null) state = withNode(state, nodes, change.id, change.node);
    if (event.type === 'workflow.recovered') state = interrupted(state, nodes);
  }
  return state;
}

function withNode(state: ExecutionState, nodes: Map<string, NodeState>, id: string, next: NodeState): ExecutionState {
  const before = nodeState(state, id);
  nodes.set(id, next);
  return {
    ...state,
    settled: state.settled + Number(isSettled(next.status)) - Number(isSettled(before.status)),
    running: state.running + Number(next.status === 'running') - Number(before.status === 'running'),
  };
}

/** After a crash nothing runs any more: what ran is to be started again, as the same attempt. */
function interrupted(state: ExecutionState, nodes: Map<string, NodeState>): ExecutionState {
  for (const [id, node] of nodes)
    if (node.status === 'running') nodes.set(id, { ...node, status: 'pending', attempt: node.attempt - 1 });
  return { ...state, running: 0 };
}

function executionChange(event: JournalEvent, state: ExecutionState): Partial<ExecutionState> {
  switch (event.type) {
    case 'workflow.queued':
      return {
        status: 'queued',
        workflowVersion: event.data.workflow_version,
        input: event.data.input,
        trigger: event.data.trigger,
        metadata: event.data.metadata,
        queuedAt: event.at,
      };
    case 'workflow.started':
      return { status: 'running', startedAt: event.at, timeoutAt: Date.parse(event.data.timeout_at) };
    case 'workflow.recovered':
      return { status: state.startedAt === null ? 'queued' : 'running', recoveries: event.data.recoveries };
    case 'workflow.completed':
      return { status: 'completed', output: event.data.output };
    case 'workflow.waiting':
    case 'workflow.paused':
    case 'workflow.resumed':
    case 'workflow.failed':
    case 'workflow.cancelled':
      return { status: event.data.status };
    case 'workflow.node.started':
    case 'workflow.node.complete':
    case 'workflow.node.failed':
    case 'workflow.node.retrying':
    case 'workflow.node.skipped':
    case 'workflow.node.waiting':
    case 'workflow.node.progress':
      return {};
    default:
      return assertNever(event);
  }
}

function nodeChange(event: JournalEvent, state: ExecutionState): { readonly id: string; readonly node: NodeState } | null {
  if (event.nodeId === null) return null;
  const before = nodeState(state, event.nodeId);
  const node = nextNode(event, before);
  return node === null ? null : { id: event.nodeId, node };
}

function nextNode(event: JournalEvent, before: NodeState): NodeState | null {
  switch (event.type) {
    case 'workflow.node.started':
      return {
        ...PENDING,
        status: 'running',
        attempt: event.attempt ?? 1,
        startedAt: event.at,
        resumption: event.data.resumption ?? null,
      };
    case 'workflow.node.complete':
      return { ...before, status: 'completed', output: event.data.output, wakeAt: null };
    case 'workflow.node.failed':
      return { ...before, status: 'failed', error: event.data.error, continued: event.data.continued, wakeAt: null };
    case 'workflow.node.retrying':
      return { ...before, status: 'retrying', error: event.data.error, resumption: null, wakeAt: Date.parse(event.data.retry_at) };
    case 'workflow.node.skipped':
      return { ...before, status: 'skipped' };
    case 'workflow.node.waiting':
      return {
        ...before,
        status: 'waiting',
        resumption: null,
        wakeAt: event.data.wake_at === null ? null : Date.parse(event.data.wake_at),
      };
    default:
      return null;
  }
}
