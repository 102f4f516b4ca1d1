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
  /** Id of the execution whose node started this execution. Null if no node started this execution. */
  readonly parentId: string | null;
  /** Id of the topmost ancestor. Null if the execution has no parent. */
  readonly rootId: string | null;
  readonly depth: number;
  /** ISO 8601 time before which the execution does not start. Null if the execution may start immediately. */
  readonly scheduledFor: string | null;
  readonly createdAt: string;
  /** Deduplication key of the execution. At most one unfinished execution of a workflow has a given key. */
  readonly deduplicationKey: string | null;
  /** Trace context that the execution continues. Null if the execution starts a new trace. */
  readonly trace: TraceContext | null;
  /**
   * Whether the execution waits for admission. Null if neither `max_running` nor a serial session limits when it may
   * run.
   */
  readonly admission: AdmissionStatus | null;
  readonly progress: ExecutionProgress;
  readonly lease: Lease;
  /** True if the execution's inbox contained messages when the execution was claimed. */
  readonly hasMessages?: boolean;
  /** Total size of the stored events in bytes, as counted by the owner of the lease. */
  readonly bytes?: number;
  /**
   * Journal of the execution as the claim read it: the JSON bodies of its batches, joined by commas. Null if the claim
   * did not read the journal.
   */
  readonly bodies?: string | null;
}

export interface NewExecution {
  readonly execution: Execution;
  readonly events: readonly JournalEvent[];
  readonly also: readonly Write[];
  /** Called after the commit of the execution, whether the commit succeeded or failed. */
  readonly settled?: () => void;
}

/** A parked execution waits for a slot. An admitted execution keeps its slot until the execution ends. */
export type AdmissionStatus = 'parked' | 'admitted';

export interface ExecutionProgress {
  readonly status: ExecutionStatus;
  readonly statusReason: string | null;
  readonly output: RecordedValue;
  readonly error: ExecutionError | null;
  readonly nodesCompleted: number;
  readonly nodesTotal: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /**
   * ISO 8601 time of the timeout. Null if no timeout runs, for example during a wait that does not count toward the
   * timeout.
   */
  readonly timeoutAt: string | null;
  /** Used active time and its limit. Null if the execution's timeout counts all elapsed time. */
  readonly activeTime: ActiveTime | null;
  readonly lastSequence: number;
  /** ISO 8601 time from which a dispatcher may claim the execution. Null if no dispatcher may claim the execution. */
  readonly runnableAt: string | null;
}

/** The progress of an execution that has only the event `workflow.queued`. */
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

/** Status reason of an execution whose previous process shut down in an orderly way. */
export const HANDED_OVER = 'handed_over';
/** Status reason of an execution whose previous process crashed. */
export const HOLDER_LOST = 'holder_lost';
/**
 * Status reason of an execution whose workflow does not compile in the process that claimed it, for example because a
 * plug-in is missing. The execution is tried again.
 */
export const WORKFLOW_UNAVAILABLE = 'workflow_unavailable';

/**
 * The lease of an execution. Each claim and each revocation increments the epoch, so that earlier leases become
 * invalid.
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

/** Returns the progress of an execution after further events. */
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
  // Events that neither end the execution nor start a wait leave `runnableAt` unchanged.
  if (marks === 'end' || status === 'waiting') after.runnableAt = wakeAt;
  if (error !== null) after.error = error;
  if (event.type === 'workflow.started') after.timeoutAt = event.data.timeout_at;
  if (event.type === 'workflow.completed') after.output = event.data.output;
}

/** Returns an execution after further events. An ended execution has no lease owner. */
export function executionAfter(execution: Execution, events: readonly JournalEvent[]): Execution {
  const progress = progressAfter(execution.progress, events);
  const { owner, epoch } = execution.lease;
  return { ...execution, progress, lease: { owner: isFinal(progress.status) ? null : owner, epoch } };
}

export function hasEnded(execution: Execution): boolean {
  return isFinal(execution.progress.status);
}

/** Milliseconds from the start to the end of an execution. Null if the execution has not started or not ended. */
export function durationMs({ progress: { startedAt, finishedAt } }: Execution): number | null {
  return startedAt === null || finishedAt === null
    ? null
    : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** ISO 8601 time of the timeout or of the deadline, whichever is earlier. Null if no limit currently applies. */
export function endsAtOf({ timeoutAt, activeTime }: ExecutionProgress): string | null {
  const deadlineAt = activeTime?.deadlineAt ?? null;
  if (deadlineAt === null) return timeoutAt;
  const deadline = isoTime(deadlineAt);
  return timeoutAt === null || deadline < timeoutAt ? deadline : timeoutAt;
}
