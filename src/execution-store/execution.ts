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

/** An execution's row: who may see it, what its journal came to so far, and who runs it now. */
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
  /** The execution whose node started it. */
  readonly parentId: string | null;
  /** The topmost execution above it; null where it has no parent. */
  readonly rootId: string | null;
  /** How many executions stand above it. */
  readonly depth: number;
  /** ISO 8601; it does not start before then. */
  readonly scheduledFor: string | null;
  readonly createdAt: string;
  /** At most one execution of a workflow that has not ended has it. */
  readonly deduplicationKey: string | null;
  /** The trace that it continues: of a caller, its parent or the execution that it repeats. Null: its own. */
  readonly trace: TraceContext | null;
  /** Null where neither `max_running` nor a serial session holds it back. */
  readonly admission: AdmissionStatus | null;
  readonly progress: ExecutionProgress;
  readonly lease: Lease;
  /** Whether there was something in its inbox when it was claimed. */
  readonly hasMessages?: boolean;
  /** Bytes that it has stored, as its holder counts them. */
  readonly bytes?: number;
  /** Its journal as it came along with its claim, for `JournalRepository.partsOfClaimed`. */
  readonly bodies?: string | null;
}

/** An execution that is about to be written, with its first events. */
export interface Beginning {
  readonly execution: Execution;
  readonly events: readonly JournalEvent[];
  /** Further writes of the same commit. */
  readonly also: readonly Write[];
  /** Called when it is committed or never will be. */
  readonly settled?: () => void;
}

/** Whether an execution that has to wait its turn still waits, or has it: then it keeps it until it ends. */
export type AdmissionStatus = 'parked' | 'admitted';

/** The read model: changes with every append, in the same commit. */
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
  /** When a dispatcher may pick it up; null while it is held, waits for a signal alone, or has ended. */
  readonly runnableAt: string | null;
}

/** The read model of an execution of which only the queued event is written. */
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

/** Reasons of a status that say how the last holder left. */
export const HANDED_OVER = 'handed_over';
export const HOLDER_LOST = 'holder_lost';
/** Its workflow does not compile here, as when a plug-in is missing; it is tried again and again. */
export const WORKFLOW_UNAVAILABLE = 'workflow_unavailable';

/** Who runs it. The epoch grows with every taking over: a writer with an old one is refused. */
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

/** The read model after more events. */
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
  // A transition without a wake-up leaves a queued execution its due time.
  if (marks === 'end' || status === 'waiting') after.runnableAt = wakeAt;
  if (error !== null) after.error = error;
  if (event.type === 'workflow.started') after.timeoutAt = event.data.timeout_at;
  if (event.type === 'workflow.completed') after.output = event.data.output;
}

/** An execution after more events of its holder; one that has ended is held by nobody. */
export function executionAfter(execution: Execution, events: readonly JournalEvent[]): Execution {
  const progress = progressAfter(execution.progress, events);
  const { owner, epoch } = execution.lease;
  return { ...execution, progress, lease: { owner: isFinal(progress.status) ? null : owner, epoch } };
}

/** Whether nothing will ever change again. */
export function hasEnded(execution: Execution): boolean {
  return isFinal(execution.progress.status);
}

/** Milliseconds from start to finish; null while it has not both. */
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
