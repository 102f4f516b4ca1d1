import { type ActiveTime, activeTimeAfter, activeTimeoutAt } from '../active-time/index.js';
import {
  type ExecutionError,
  type ExecutionEvent,
  type ExecutionStatus,
  executionTransition,
  isFinal,
  type JournalEvent,
  progressIn,
  type Trigger,
} from '../execution-events/index.js';
import { type RecordedValue } from '../long-values/index.js';
import type { JsonObject } from '../expressions/index.js';
import type { JournalScope } from '../journal/index.js';
import { isoTime } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { type TraceContext, traceIdOf } from '../trace-context/index.js';

/** An execution as stored in its row: owners, the read model of its journal, and its lease. */
export interface Execution {
  readonly id: string;
  readonly projectId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly sessionId: string | null;
  readonly trigger: Trigger;
  readonly input: RecordedValue;
  readonly metadata: JsonObject;
  readonly priority: number;
  readonly attempt: number;
  readonly retryOf: string | null;
  /** The parent: the execution whose node started it. */
  readonly parentId: string | null;
  /** The root of its tree of executions; null if it has no parent. */
  readonly rootId: string | null;
  /** Number of its ancestors. */
  readonly depth: number;
  /** ISO 8601; it does not start before this time. */
  readonly scheduledFor: string | null;
  readonly createdAt: string;
  /** Unique among the unfinished executions of a workflow. */
  readonly deduplicationKey: string | null;
  /** The trace that it continues: of a caller, its parent or the execution that it repeats. Null: its own. */
  readonly trace: TraceContext | null;
  /** Null if neither `max_running` nor a serial session limits it. */
  readonly admission: AdmissionStatus | null;
  readonly progress: ExecutionProgress;
  readonly lease: Lease;
  /** Whether its inbox had messages when it was claimed. */
  readonly hasMessages?: boolean;
  /** Bytes of its stored events, as counted by the lease holder. */
  readonly bytes?: number;
  /** Its journal as loaded by the claim, for `JournalRepository.partsOfClaimed`. */
  readonly bodies?: string | null;
}

/** A new execution and its first events, before they are written. */
export interface NewExecution {
  readonly execution: Execution;
  readonly events: readonly JournalEvent[];
  /** Further writes of the same commit. */
  readonly also: readonly Write[];
  /** Called once its commit has succeeded or failed. */
  readonly settled?: () => void;
}

/** State of an execution that needs admission: `parked` waits in the queue, `admitted` holds its slot until it ends. */
export type AdmissionStatus = 'parked' | 'admitted';

/** The read model of an execution. Every append updates it in the same commit. */
export interface ExecutionProgress {
  readonly status: ExecutionStatus;
  readonly statusReason: string | null;
  readonly output: RecordedValue;
  readonly error: ExecutionError | null;
  readonly nodesCompleted: number;
  readonly nodesTotal: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** Null before the start, and while no active time counts. */
  readonly timeoutAt: string | null;
  /** Null where the timeout counts from the start. */
  readonly activeTime: ActiveTime | null;
  readonly lastSequence: number;
  /** When a dispatcher may claim it; null while it is held, waits only for a message, or has ended. */
  readonly runnableAt: string | null;
}

/** The read model of an execution that has only its queued event. */
export const NOT_STARTED: ExecutionProgress = {
  status: 'queued',
  statusReason: null,
  output: null,
  error: null,
  nodesCompleted: 0,
  nodesTotal: 0,
  startedAt: null,
  finishedAt: null,
  timeoutAt: null,
  activeTime: null,
  lastSequence: 1,
  runnableAt: null,
};

/** Status reasons that say how the last lease ended. */
export const HANDED_OVER = 'handed_over';
export const HOLDER_LOST = 'holder_lost';
/**
 * Its workflow does not compile in this process, for example because a plug-in is missing. It is retried periodically.
 */
export const WORKFLOW_UNAVAILABLE = 'workflow_unavailable';

/**
 * The lease of an execution. The epoch grows with every claim and revocation, so that a writer with an older epoch is
 * fenced.
 */
export interface Lease {
  readonly owner: string | null;
  readonly epoch: number;
}

export function scopeOf(execution: Execution): JournalScope {
  return {
    executionId: execution.id,
    projectId: execution.projectId,
    workflowId: execution.workflowId,
    sessionId: execution.sessionId,
    traceId: traceIdOf(execution),
  };
}

/** What every log line about an execution has. */
export interface ExecutionLogFields {
  readonly execution_id: string;
  readonly workflow_id: string;
  readonly trace_id: string;
}

export function logFields(execution: Execution): ExecutionLogFields {
  return {
    execution_id: execution.id,
    workflow_id: execution.workflowId,
    trace_id: traceIdOf(execution),
  };
}

/** The read model after further events. */
export function progressAfter(before: ExecutionProgress, events: readonly JournalEvent[]): ExecutionProgress {
  const after: Draft = { ...before, lastSequence: before.lastSequence + events.length };
  for (const event of events) {
    const nodes = progressIn(event);
    if (nodes !== null) {
      after.nodesCompleted = nodes.completed;
      after.nodesTotal = nodes.total;
    }
    if (event.nodeId === null) apply(event, after);
    after.activeTime = activeTimeAfter(after.activeTime, event, event.at, after.status);
  }
  if (after.activeTime !== null) {
    const timeoutAt = activeTimeoutAt(after.activeTime);
    after.timeoutAt = timeoutAt === null ? null : isoTime(timeoutAt);
  }
  return after;
}

type Draft = { -readonly [K in keyof ExecutionProgress]: ExecutionProgress[K] };

function apply(event: ExecutionEvent, after: Draft): void {
  const { status, reason, error, marks, wakeAt } = executionTransition(event, after.status);
  after.status = status;
  after.statusReason = reason;
  if (marks === 'start') after.startedAt = isoTime(event.at);
  if (marks === 'end') after.finishedAt = isoTime(event.at);
  // A transition without a wake-up time keeps the due time of a queued execution.
  if (marks === 'end' || status === 'waiting') after.runnableAt = wakeAt;
  if (error !== null) after.error = error;
  if (event.type === 'workflow.started') after.timeoutAt = event.data.timeout_at;
  if (event.type === 'workflow.completed') after.output = event.data.output;
}

/** An execution after further events of its lease holder. An ended execution has no lease owner. */
export function executionAfter(execution: Execution, events: readonly JournalEvent[]): Execution {
  const progress = progressAfter(execution.progress, events);
  const { owner, epoch } = execution.lease;
  return { ...execution, progress, lease: { owner: isFinal(progress.status) ? null : owner, epoch } };
}

/** Whether the execution is in a final status. */
export function hasEnded(execution: Execution): boolean {
  return isFinal(execution.progress.status);
}

/** Milliseconds from start to finish; null if it has not started or not finished. */
export function durationMs({ progress: { startedAt, finishedAt } }: Execution): number | null {
  return startedAt === null || finishedAt === null
    ? null
    : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** When an execution ends unless it goes on before, ISO 8601: its timeout or its deadline. Null while nothing limits it. */
export function endsAtOf({ timeoutAt, activeTime }: ExecutionProgress): string | null {
  const deadlineAt = activeTime?.deadlineAt ?? null;
  if (deadlineAt === null) return timeoutAt;
  const deadline = isoTime(deadlineAt);
  return timeoutAt === null || deadline < timeoutAt ? deadline : timeoutAt;
}
