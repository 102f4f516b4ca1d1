import {
  assertNever,
  type ExecutionError,
  type JournalEvent,
  type NodeError,
  type NodeEventType,
} from '../execution-events/index.js';
import { type RecordedValue } from '../long-values/index.js';
import type { Wait } from '../node-contract/index.js';
import { type Iteration, nodeIdsOf } from './iteration.js';
import type { Plan } from './plan.js';
import type { PlannedNode } from './planned-node.js';
import {
  elapsed,
  isInstant,
  isoInstant,
  nodeEvent,
  type NodeEventDetails,
  nodeFailed,
  progressOf,
  progressWith,
  workflowEvent,
} from './recorded.js';
import { retryDelay } from './retry.js';
import { type ExecutionState, hasRunningAttempt, nodeState } from './state.js';

/** An attempt of a node, inside or outside a loop. */
interface Attempted {
  readonly node: PlannedNode;
  readonly attempt: number;
  readonly iteration?: Iteration | null;
}

export type AttemptOutcome =
  | {
      readonly kind: 'output';
      readonly output: RecordedValue;
      readonly logs?: readonly string[];
      readonly cached: boolean;
    }
  | {
      readonly kind: 'suspend';
      readonly wait: Wait;
      /** Links with which a person decides the approval; present only if the node waits for an approval. */
      readonly links?: ApprovalLinks;
    }
  | {
      readonly kind: 'child';
      /** Id of the child execution, which is created in the same commit as the event. */
      readonly executionId: string;
    }
  | { readonly kind: 'failure'; readonly error: NodeError; readonly retryable: boolean };

/** Absolute URLs with which a person decides one approval. */
export interface ApprovalLinks {
  readonly approve_url: string;
  readonly reject_url: string;
}

/**
 * Creates the event that records the outcome of an attempt: complete, waiting, retrying or failed.
 * @param random number from 0 to below 1, for the jitter of a retry
 */
export function settle(
  plan: Plan,
  state: ExecutionState,
  { node, attempt, iteration = null }: Attempted,
  outcome: AttemptOutcome,
  now: number,
  random: number,
): JournalEvent {
  const duration_ms = Math.max(0, now - (nodeState(state, node.id, iteration).startedAt ?? now));
  const progress = progressWith(plan, state, iteration);
  const event = <T extends NodeEventType>(type: T, data: NodeEventDetails<T>): JournalEvent =>
    nodeEvent(type, now, node, attempt, data, iteration);
  const failed = (error: NodeError): JournalEvent =>
    nodeFailed(node, attempt, now, error, duration_ms, progress, iteration);
  switch (outcome.kind) {
    case 'output':
      return event('workflow.node.complete', {
        status: 'completed',
        output: outcome.output,
        ...(outcome.logs === undefined ? {} : { logs: outcome.logs }),
        duration_ms,
        cached: outcome.cached,
        progress,
      });
    case 'suspend': {
      const { until, signal, remindEveryMs, approval } = outcome.wait;
      if (until !== null && !isInstant(until))
        return failed({
          code: 'invalid_wait',
          message: `The node requested a wake-up at ${until}, which is not a valid time.`,
        });
      return event('workflow.node.waiting', {
        status: 'waiting',
        waiting_for: outcome.wait.for,
        wake_at: until === null ? null : isoInstant(until),
        ...(signal === undefined ? {} : { signal }),
        ...(remindEveryMs === undefined ? {} : { remind_every_seconds: remindEveryMs / 1_000 }),
        ...approval,
        ...outcome.links,
      });
    }
    case 'child':
      return event('workflow.node.waiting', {
        status: 'waiting',
        waiting_for: 'child',
        wake_at: null,
        child_execution_id: outcome.executionId,
      });
    case 'failure': {
      const { retry } = node;
      if (!outcome.retryable || attempt >= retry.maxAttempts) return failed(outcome.error);
      const delayMs = retryDelay(retry, attempt, random);
      return event('workflow.node.retrying', {
        status: 'retrying',
        error: outcome.error,
        duration_ms,
        retry_at: isoInstant(now + delayMs),
        delay_ms: delayMs,
        max_attempts: retry.maxAttempts,
      });
    }
    default:
      return assertNever(outcome);
  }
}

/**
 * Creates the event that suspends an execution. The execution then leaves memory until a retry, a timer or a message
 * wakes it.
 */
export function suspended(state: ExecutionState, now: number, wakeAt: number | null): JournalEvent {
  const keys = [...state.nodes]
    .filter(([, { status }]) => status === 'waiting' || status === 'retrying')
    .map(([key]) => key);
  return workflowEvent('workflow.waiting', now, {
    status: 'waiting',
    wake_at: wakeAt === null ? null : isoInstant(wakeAt),
    node_ids: nodeIdsOf(keys),
  });
}

/**
 * Creates the event `workflow.recovered`: this process continues an execution that another process ran. The
 * interrupted attempts run again.
 * @param cause only `crash` counts towards the maximum number of recoveries
 */
export function recovered(state: ExecutionState, now: number, cause: 'crash' | 'hand_over'): JournalEvent {
  const keys = [...state.nodes].filter(([, node]) => hasRunningAttempt(node)).map(([key]) => key);
  return workflowEvent('workflow.recovered', now, {
    status: 'running',
    cause,
    recoveries: state.recoveries + (cause === 'crash' ? 1 : 0),
    node_ids: nodeIdsOf(keys),
  });
}

/**
 * Creates the event that fails an execution after too many crashes. Without this limit, the execution would crash
 * further processes and interrupt the other executions in them.
 */
export function recoveryExhausted(plan: Plan, state: ExecutionState, now: number): JournalEvent {
  return workflowEvent('workflow.failed', now, {
    status: 'failed',
    error: {
      type: 'recovery_exhausted',
      message: `The process crashed ${state.recoveries} times while it ran this execution, so it was not recovered again.`,
      node_id: null,
    },
    duration_ms: elapsed(state, now),
    progress: progressOf(plan, state, 0),
  });
}

/**
 * Creates the event that fails an execution because its inputs and outputs would exceed the storage limit.
 * @param bytes number of bytes that the execution would store
 * @param limit maximum number of bytes
 */
export function executionTooLarge(
  plan: Plan,
  state: ExecutionState,
  now: number,
  { bytes, limit }: { readonly bytes: number; readonly limit: number },
): JournalEvent {
  return workflowEvent('workflow.failed', now, {
    status: 'failed',
    error: {
      type: 'execution_too_large',
      message: `The inputs and outputs of this execution would take ${bytes} bytes. The maximum is ${limit}. Return less data from nodes, split the workflow into child executions, or raise EXECUTION_MAX_BYTES.`,
      node_id: null,
      details: { bytes, limit },
    },
    duration_ms: elapsed(state, now),
    progress: progressOf(plan, state, 0),
  });
}

export function cancelled(
  total: number,
  state: ExecutionState,
  now: number,
  reason: string | null,
): JournalEvent {
  return workflowEvent('workflow.cancelled', now, {
    status: 'cancelled',
    reason,
    duration_ms: elapsed(state, now),
    progress: { completed: state.settled, total },
  });
}

/**
 * Returns the epoch milliseconds at which the execution times out if it does not end earlier; null if no limit applies.
 */
export function endsAt({ timeoutAt, active }: ExecutionState): number | null {
  const deadlineAt = active?.deadlineAt ?? null;
  return timeoutAt === null || deadlineAt === null
    ? (timeoutAt ?? deadlineAt)
    : Math.min(timeoutAt, deadlineAt);
}

/**
 * Creates the event that ends an execution after its timeout or deadline. The event names the limit that was reached
 * first.
 * @param seconds `timeout_seconds` of the workflow
 */
export function timedOut(total: number, seconds: number, state: ExecutionState, now: number): JournalEvent {
  return workflowEvent('workflow.failed', now, {
    status: 'timed_out',
    error: timeError(seconds, state),
    duration_ms: elapsed(state, now),
    progress: { completed: state.settled, total },
  });
}

function timeError(seconds: number, state: ExecutionState): ExecutionError {
  const { active } = state;
  if (active !== null && active.deadlineAt !== null && endsAt(state) === active.deadlineAt)
    return {
      type: 'deadline_exceeded',
      message: `The execution did not end before its deadline, ${isoInstant(active.deadlineAt)}.`,
      node_id: null,
    };
  const message =
    active === null
      ? `The execution took longer than its timeout of ${seconds} seconds.`
      : `The execution was active for longer than its timeout of ${seconds} seconds.`;
  return { type: 'execution_timeout', message, node_id: null };
}

/** Creates the event that reports the progress of a running node. The fraction is limited to the range from 0 to 1. */
export function progressed(
  { node, attempt, iteration = null }: Attempted,
  fraction: number,
  message: string | null,
  now: number,
): JournalEvent {
  const bounded = Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : 0;
  const data = { status: 'running', fraction: bounded, message } as const;
  return nodeEvent('workflow.node.progress', now, node, attempt, data, iteration);
}

/** @param number number of the reminder, from 1 */
export function reminded(
  node: PlannedNode,
  attempt: number,
  iteration: Iteration | null,
  signal: string,
  number: number,
  now: number,
): JournalEvent {
  const message = `Reminder ${number}: still waiting for the signal "${signal}".`;
  const data = { status: 'waiting', fraction: 0, message, reminder: number } as const;
  return nodeEvent('workflow.node.progress', now, node, attempt, data, iteration);
}
