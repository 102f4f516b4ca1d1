import { assertNever } from './assert-never.js';
import type { JournalEvent, NodeEventType } from './event.js';
import { type ExecutionState, isSettled, type NodeState, nodeState, NodeStates, PENDING } from './state.js';

type NodeEvent = Extract<JournalEvent, { readonly type: NodeEventType }>;

/** Before the first event. */
const NOTHING: ExecutionState = {
  status: 'queued',
  sequence: 0,
  workflowVersion: 0,
  input: null,
  output: null,
  trigger: { type: 'api', id: null },
  metadata: {},
  nodes: NodeStates.NONE,
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
  const changed = new Map<string, NodeState>();
  let state = from;
  for (const event of events) {
    const change =
      event.nodeId === null ? executionChange(event, state, changed) : nodeChange(event, state, changed);
    state = { ...state, ...change, sequence: state.sequence + 1 };
  }
  return { ...state, nodes: from.nodes.with(changed) };
}

function executionChange(
  event: Exclude<JournalEvent, NodeEvent>,
  state: ExecutionState,
  changed: Map<string, NodeState>,
): Partial<ExecutionState> {
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
      interrupt(state, changed);
      return {
        // What was not begun, or was paused, is not running because somebody else holds it now.
        status: state.status === 'waiting' ? 'running' : state.status,
        recoveries: event.data.recoveries,
        running: 0,
      };
    case 'workflow.completed':
      return { status: 'completed', output: event.data.output };
    case 'workflow.waiting':
    case 'workflow.paused':
    case 'workflow.resumed':
    case 'workflow.failed':
    case 'workflow.cancelled':
      return { status: event.data.status };
    default:
      return assertNever(event);
  }
}

/** Nothing runs any more: what ran is to be started again, as the same attempt. */
function interrupt(state: ExecutionState, changed: Map<string, NodeState>): void {
  for (const [id, node] of state.nodes.with(changed))
    if (node.status === 'running') changed.set(id, { ...node, status: 'pending', attempt: node.attempt - 1 });
}

function nodeChange(
  event: NodeEvent,
  state: ExecutionState,
  changed: Map<string, NodeState>,
): Partial<ExecutionState> {
  const before = changed.get(event.nodeId) ?? nodeState(state, event.nodeId);
  const after = nodeAfter(event, before);
  changed.set(event.nodeId, after);
  return {
    settled: state.settled + Number(isSettled(after.status)) - Number(isSettled(before.status)),
    running: state.running + Number(after.status === 'running') - Number(before.status === 'running'),
  };
}

function nodeAfter(event: NodeEvent, before: NodeState): NodeState {
  switch (event.type) {
    case 'workflow.node.started':
      return {
        ...PENDING,
        status: 'running',
        attempt: event.attempt,
        startedAt: event.at,
        resumption: event.data.resumption ?? null,
      };
    case 'workflow.node.complete':
      return { ...before, status: 'completed', output: event.data.output };
    case 'workflow.node.failed':
      return {
        ...before,
        status: 'failed',
        attempt: event.attempt,
        error: event.data.error,
        wakeAt: null,
      };
    case 'workflow.node.retrying':
      return {
        ...before,
        status: 'retrying',
        error: event.data.error,
        resumption: null,
        wakeAt: Date.parse(event.data.retry_at),
      };
    case 'workflow.node.skipped':
      return { ...before, status: 'skipped' };
    case 'workflow.node.waiting':
      return {
        ...before,
        status: 'waiting',
        resumption: null,
        wakeAt: event.data.wake_at === null ? null : Date.parse(event.data.wake_at),
      };
    case 'workflow.node.progress':
      return before;
    default:
      return assertNever(event);
  }
}
