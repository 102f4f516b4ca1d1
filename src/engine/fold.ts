import { activeTimeAfter, activeTimeoutAt } from '../active-time/index.js';
import {
  type ExecutionEvent,
  executionTransition,
  isSettled,
  type JournalEvent,
  type NodeEvent,
  type NodeTransition,
  nodeTransition,
  type RecordedResumption,
  stateKey,
} from '../execution-events/index.js';
import { recordedValue } from '../long-values/index.js';
import { isInside } from './iteration.js';
import type { Json } from '../expressions/index.js';
import { startedLoopState, withItemStarted } from './loop-state.js';
import type { Awaited } from './message.js';
import { type ExecutionState, hasRunningAttempt, type NodeState, NodeStates, PENDING } from './state.js';

/** Changed node states by state key. A null value removes the node's state. */
type Changes = Map<string, NodeState | null>;

/** Mutable copy of an execution's state, used while events are folded. */
type Draft = { -readonly [K in keyof ExecutionState]: ExecutionState[K] };

/** State of an execution before its first event. */
const INITIAL_STATE: ExecutionState = {
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
  active: null,
  recoveries: 0,
};

/**
 * Computes the state of an execution from its events. `fold(b, fold(a))` equals `fold([...a, ...b])`, so the run loop
 * folds only new events into its current state. Does not change `from`.
 */
export function fold(events: readonly JournalEvent[], from: ExecutionState = INITIAL_STATE): ExecutionState {
  if (events.length === 0) return from;
  const changed: Changes = new Map();
  const state: Draft = { ...from };
  for (const event of events) {
    state.sequence += 1;
    if (event.nodeId === null) applyToExecution(event, state, changed);
    else applyToNode(event, state, changed);
    state.active = activeTimeAfter(state.active, event, event.at, state.status);
    if (state.active !== null) state.timeoutAt = activeTimeoutAt(state.active);
  }
  state.nodes = from.nodes.with(changed);
  return state;
}

function applyToExecution(event: ExecutionEvent, state: Draft, changed: Changes): void {
  const { status, interrupts } = executionTransition(event, state.status);
  state.status = status;
  if (interrupts) interrupt(state, changed);
  switch (event.type) {
    case 'workflow.queued':
      state.workflowVersion = event.data.workflow_version;
      state.input = recordedValue(event.data, 'input', state.sequence);
      state.trigger = event.data.trigger;
      state.metadata = event.data.metadata;
      state.queuedAt = event.at;
      state.scheduledFor = instantOrNull(event.data.scheduled_for ?? null);
      break;
    case 'workflow.started':
      state.startedAt = event.at;
      state.timeoutAt = Date.parse(event.data.timeout_at);
      break;
    case 'workflow.recovered':
      state.recoveries = event.data.recoveries;
      break;
    case 'workflow.completed':
      state.output = recordedValue(event.data, 'output', state.sequence);
      break;
    default:
    // All event types without a case in this `switch` change only the status of the execution. `executionTransition`
    // has already computed the new status.
  }
}

/** Sets all running attempts to pending, so that they start again with the same attempt number. */
function interrupt(state: Draft, changed: Changes): void {
  for (const [key, node] of state.nodes.with(changed))
    if (hasRunningAttempt(node)) changed.set(key, { ...node, status: 'pending', attempt: node.attempt - 1 });
  state.running = 0;
}

function applyToNode(event: NodeEvent, state: Draft, changed: Changes): void {
  const { iteration = 0, iteration_of: loopId } = event.data;
  const key = stateKey(event.nodeId, loopId, iteration);
  const before = stateOf(key, state, changed);
  const after = nodeAfter(event, before, state.sequence);
  changed.set(key, after);
  state.running += Number(hasRunningAttempt(after)) - Number(hasRunningAttempt(before));
  if (loopId !== undefined) return markItemStarted(loopId, iteration, state, changed);
  state.settled += Number(isSettled(after.status)) - Number(isSettled(before.status));
  if (before.loop !== null && after.loop === null)
    state.running -= removeLoopNodes(event.nodeId, state, changed);
}

function stateOf(key: string, state: ExecutionState, changed: Changes): NodeState {
  const change = changed.get(key);
  return (change === undefined ? state.nodes.get(key) : change) ?? PENDING;
}

/** Records in the state of a loop that one of its items has started. */
function markItemStarted(loopId: string, index: number, state: ExecutionState, changed: Changes): void {
  const own = stateOf(loopId, state, changed);
  const loop = own.loop && withItemStarted(own.loop, index);
  if (loop !== own.loop) changed.set(loopId, { ...own, loop });
}

/**
 * Removes the states of the nodes inside a loop that has ended.
 * @returns the number of attempts that were running inside the loop
 */
function removeLoopNodes(loopId: string, state: ExecutionState, changed: Changes): number {
  let running = 0;
  for (const [key, node] of state.nodes.with(changed)) {
    if (!isInside(key, loopId)) continue;
    running += Number(hasRunningAttempt(node));
    changed.set(key, null);
  }
  return running;
}

function nodeAfter(event: NodeEvent, before: NodeState, sequence: number): NodeState {
  const transition = nodeTransition(event);
  if (transition === null) return withProgress(before, event);
  const { status, error, wakeAt } = transition;
  const isStart = event.type === 'workflow.node.started';
  return {
    status,
    attempt: transition.attempt ?? before.attempt,
    startedAt: isStart ? event.at : before.startedAt,
    output:
      event.type === 'workflow.node.complete' ? recordedValue(event.data, 'output', sequence) : before.output,
    error,
    wakeAt: instantOrNull(wakeAt),
    awaits: awaitedBy(transition, event.at),
    resumption: isStart
      ? (recordedValue(event.data, 'resumption', sequence) as RecordedResumption | null)
      : null,
    // A loop's long input is loaded together with its start event, so `input` is never a `LongValue`.
    loop:
      isStart && event.data.iterations !== undefined
        ? startedLoopState(event.data.input as Json, event.at)
        : null,
  };
}

/**
 * Returns the state of a node after a progress event or a reminder. A running loop stores its progress, and a waiting
 * node stores the number of its last reminder. The state of any other node does not change.
 */
function withProgress(before: NodeState, event: NodeEvent): NodeState {
  const { awaits, loop } = before;
  if ((loop === null && awaits === null) || event.type !== 'workflow.node.progress') return before;
  const { fraction, reminder } = event.data;
  if (loop !== null) return { ...before, loop: { ...loop, told: { fraction, at: event.at } } };
  if (reminder === undefined || awaits?.kind !== 'signal' || awaits.reminders === undefined) return before;
  return { ...before, awaits: { ...awaits, reminders: { ...awaits.reminders, sent: reminder } } };
}

function instantOrNull(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/**
 * Returns the message that can end the wait of a node; null if only a timer can end the wait.
 * @param at epoch milliseconds at which the wait started
 */
function awaitedBy({ wait }: NodeTransition, at: number): Awaited | null {
  if (wait === null) return null;
  const { signal, approvers, child_execution_id: id, remind_every_seconds: seconds } = wait;
  if (signal !== undefined)
    return {
      kind: 'signal',
      name: signal,
      ...(approvers === undefined ? {} : { isAddressed: true }),
      ...(seconds === undefined ? {} : { reminders: { since: at, everyMs: seconds * 1_000, sent: 0 } }),
    };
  return id === undefined ? null : { kind: 'child', id };
}
