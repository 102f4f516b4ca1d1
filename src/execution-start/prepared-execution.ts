import type { JournalEvent, Trigger } from '../execution-events/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { isoTime, newId } from '../platform/index.js';
import type { Session } from '../sessions/index.js';
import type { Write } from '../storage/index.js';
import type { CompiledWorkflow, Workflow } from '../workflows/index.js';
import type { Gates } from '../admission/index.js';
import { type TraceContext, traceHeaders } from '../trace-context/index.js';
import { type Execution, NOT_STARTED } from '../execution-store/index.js';

/** Properties that the caller of a start requests for the new execution. */
export interface WantedExecution {
  readonly workflow: Workflow;
  readonly version: number;
  /** The given version of the workflow. */
  readonly compiled: CompiledWorkflow;
  readonly session: Pick<Session, 'id' | 'concurrency'> | null;
  readonly trigger: Trigger;
  readonly input: Json;
  readonly metadata: JsonObject;
  readonly priority: number;
  readonly deduplicationKey: string | null;
  /** ISO 8601 time before which the execution must not start; null to start immediately. */
  readonly scheduledFor: string | null;
  /** The execution that the new execution retries. Null if the new execution is not a retry. */
  readonly retryOf: Execution | null;
  /** Trace context that the execution continues. Null if the execution starts a new trace. */
  readonly trace: TraceContext | null;
  /** Parent of the execution. Absent if the execution is not a child. */
  readonly parent?: Execution;
}

export interface PreparedExecution {
  readonly execution: Execution;
  readonly events: readonly JournalEvent[];
  readonly gates: Gates;
  readonly compiled: CompiledWorkflow;
  /** Revision that the workflow must still have when the start is committed. Null skips this check. */
  readonly revision: number | null;
  readonly writes?: readonly Write[];
}

/**
 * Returns a new execution without a lease, together with its first event.
 *
 * @param revision revision that the workflow must still have at the commit; null skips this check
 */
export function preparedExecution(
  wanted: WantedExecution,
  now: number,
  revision: number | null = null,
): PreparedExecution {
  const { workflow, version, session, trigger, input, metadata, retryOf, parent, scheduledFor } = wanted;
  const execution: Execution = {
    id: newId(),
    projectId: workflow.projectId,
    workflowId: workflow.id,
    workflowVersion: version,
    sessionId: session?.id ?? null,
    trigger,
    input,
    metadata,
    priority: wanted.priority,
    attempt: (retryOf?.attempt ?? 0) + 1,
    retryOf: retryOf?.id ?? null,
    parentId: parent?.id ?? null,
    rootId: parent === undefined ? null : (parent.rootId ?? parent.id),
    depth: parent === undefined ? 0 : parent.depth + 1,
    scheduledFor,
    createdAt: isoTime(now),
    deduplicationKey: wanted.deduplicationKey,
    trace: wanted.trace,
    admission: null,
    progress: {
      ...NOT_STARTED,
      nodesTotal: wanted.compiled.plan.order.length,
      runnableAt: scheduledFor ?? isoTime(now),
    },
    lease: { owner: null, epoch: 0 },
  };
  return {
    execution,
    events: [queued(execution)],
    gates: gatesOf(workflow, session, trigger),
    compiled: wanted.compiled,
    revision,
  };
}

/**
 * Returns the event `workflow.queued`, which is the first event of each execution. The row of the execution contains
 * the data of the event, too.
 */
export function queued(execution: Execution): JournalEvent {
  const { workflowVersion, input, trigger, attempt, metadata, scheduledFor, retryOf, trace, createdAt } =
    execution;
  return {
    type: 'workflow.queued',
    at: Date.parse(createdAt),
    nodeId: null,
    attempt: null,
    data: {
      status: 'queued',
      workflow_version: workflowVersion,
      input,
      trigger,
      attempt,
      metadata,
      ...(scheduledFor === null ? {} : { scheduled_for: scheduledFor }),
      ...(retryOf === null ? {} : { retry_of: retryOf }),
      ...(trace === null ? {} : traceHeaders(trace)),
    },
  };
}

/**
 * Returns which rules may delay the execution: `max_running` of the workflow, and the order of a serial session. A
 * child ignores the order of the session, because its parent is already running in that session.
 */
function gatesOf(
  { id, definition }: Workflow,
  session: WantedExecution['session'],
  { type }: Trigger,
): Gates {
  const isInTurn = session?.concurrency === 'serial' && type !== 'parent';
  return {
    workflowId: definition.config.max_running === null ? null : id,
    sessionId: isInTurn ? session.id : null,
  };
}
