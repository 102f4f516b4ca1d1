import { assertNever } from './assert-never.js';
import {
  type EventDataByType,
  type JournalEvent,
  type NodeEventType,
  recordedValue,
  type RecordedResumption,
} from '../execution-events/index.js';
import { isInside, stateKey } from './iteration.js';
import type { Json } from '../expressions/index.js';
import { begunLoop, withBegun } from './loop-state.js';
import type { Awaited } from './message.js';
import { type ExecutionState, isAttempt, isSettled, type NodeState, NodeStates, PENDING } from './state.js';

/** States that the events being folded in change; null where one is forgotten. */
type Changes = Map<string, NodeState | null>;

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
  scheduledFor: null,
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
  const changed: Changes = new Map();
  const state = { ...from, sequence: from.sequence + events.length };
  let { sequence } = from;
  for (const event of events) {
    sequence += 1;
    Object.assign(
      state,
      event.nodeId === null
        ? executionChange(event, state, changed, sequence)
        : nodeChange(event, state, changed, sequence),
    );
  }
  state.nodes = from.nodes.with(changed);
  return state;
}

function executionChange(
  event: Exclude<JournalEvent, NodeEvent>,
  state: ExecutionState,
  changed: Changes,
  sequence: number,
): Partial<ExecutionState> {
  switch (event.type) {
    case 'workflow.queued':
      return {
        status: 'queued',
        workflowVersion: event.data.workflow_version,
        input: recordedValue(event.data, 'input', sequence),
        trigger: event.data.trigger,
        metadata: event.data.metadata,
        queuedAt: event.at,
        scheduledFor: instantOrNull(event.data.scheduled_for ?? null),
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
      return { status: 'completed', output: recordedValue(event.data, 'output', sequence) };
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
function interrupt(state: ExecutionState, changed: Changes): void {
  for (const [key, node] of state.nodes.with(changed))
    if (isAttempt(node)) changed.set(key, { ...node, status: 'pending', attempt: node.attempt - 1 });
}

function nodeChange(
  event: NodeEvent,
  state: ExecutionState,
  changed: Changes,
  sequence: number,
): Partial<ExecutionState> {
  const { iteration = 0, iteration_of: loopId } = event.data;
  const key = stateKey(event.nodeId, loopId, iteration);
  const before = stateOf(key, state, changed);
  const after = nodeAfter(event, before, sequence);
  changed.set(key, after);
  const running = state.running + Number(isAttempt(after)) - Number(isAttempt(before));
  if (loopId !== undefined) {
    begin(loopId, iteration, state, changed);
    return { running };
  }
  return {
    settled: state.settled + Number(isSettled(after.status)) - Number(isSettled(before.status)),
    running:
      before.loop !== null && after.loop === null ? running - leave(event.nodeId, state, changed) : running,
  };
}

function stateOf(key: string, state: ExecutionState, changed: Changes): NodeState {
  const change = changed.get(key);
  return (change === undefined ? state.nodes.get(key) : change) ?? PENDING;
}

/** Notes in a loop that one of its items has begun. */
function begin(loopId: string, index: number, state: ExecutionState, changed: Changes): void {
  const own = stateOf(loopId, state, changed);
  const loop = own.loop && withBegun(own.loop, index);
  if (loop !== own.loop) changed.set(loopId, { ...own, loop });
}

/** A loop is over: what is left inside is forgotten. @returns how many attempts ran there */
function leave(loopId: string, state: ExecutionState, changed: Changes): number {
  let running = 0;
  for (const [key, node] of state.nodes.with(changed)) {
    if (!isInside(key, loopId)) continue;
    running += Number(isAttempt(node));
    changed.set(key, null);
  }
  return running;
}

function nodeAfter(event: NodeEvent, before: NodeState, sequence: number): NodeState {
  switch (event.type) {
    case 'workflow.node.started':
      return {
        ...PENDING,
        status: 'running',
        attempt: event.attempt,
        startedAt: event.at,
        resumption: recordedValue(event.data, 'resumption', sequence) as RecordedResumption | null,
        // The items of a loop are always read with its event.
        loop: event.data.iterations === undefined ? null : begunLoop(event.data.input as Json, event.at),
      };
    case 'workflow.node.complete':
      return {
        ...before,
        status: 'completed',
        output: recordedValue(event.data, 'output', sequence),
        resumption: null,
        loop: null,
      };
    case 'workflow.node.failed':
      return {
        ...before,
        status: 'failed',
        attempt: event.attempt,
        error: event.data.error,
        wakeAt: null,
        awaits: null,
        resumption: null,
        loop: null,
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
        wakeAt: instantOrNull(event.data.wake_at),
        awaits: awaitedBy(event.data),
      };
    case 'workflow.node.progress':
      if (before.loop === null) return before;
      return { ...before, loop: { ...before.loop, told: { fraction: event.data.fraction, at: event.at } } };
    default:
      return assertNever(event);
  }
}

function instantOrNull(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function awaitedBy({
  signal,
  approvers,
  child_execution_id: id,
}: EventDataByType['workflow.node.waiting']): Awaited | null {
  if (signal !== undefined)
    return { kind: 'signal', name: signal, ...(approvers === undefined ? {} : { isAddressed: true }) };
  return id === undefined ? null : { kind: 'child', id };
}
