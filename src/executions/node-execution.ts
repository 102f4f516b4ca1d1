import {
  type ExecutionState,
  isFinal,
  type Json,
  type JournalEvent,
  type NodeError,
} from '../engine/index.js';

/** One attempt of a node, as the journal tells it. */
export interface NodeAttempt {
  readonly attempt: number;
  readonly status: NodeExecutionStatus;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly error: NodeError | null;
}

export type NodeExecutionStatus =
  'pending' | 'running' | 'retrying' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'cancelled';

/** What became of one node of an execution. */
export interface NodeExecution {
  readonly nodeId: string;
  readonly type: string;
  readonly name: string | null;
  readonly status: NodeExecutionStatus;
  readonly attempt: number;
  readonly input: Json;
  readonly output: Json;
  readonly error: NodeError | null;
  readonly cached: boolean;
  /** What it logged. */
  readonly logs: readonly string[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly wakeAt: string | null;
  /** Milliseconds of the last attempt. */
  readonly durationMs: number | null;
  readonly attempts: readonly NodeAttempt[];
}

/** A node of the definition, in the order of the document. */
export interface DefinedNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

/** Every node of an execution, read from its journal. What had not ended when the execution did, was cancelled. */
export function nodeExecutions(
  nodes: readonly DefinedNode[],
  events: readonly JournalEvent[],
  status: ExecutionState['status'],
): readonly NodeExecution[] {
  const rows = new Map<string, NodeExecution>(
    nodes.map(({ id, type, name }) => [id, { ...UNTOUCHED, nodeId: id, type, name: name ?? null }]),
  );
  for (const event of events) {
    if (event.nodeId === null) continue;
    const row = rows.get(event.nodeId);
    if (row !== undefined) rows.set(event.nodeId, after(row, event));
  }
  const all = [...rows.values()];
  return isFinal(status) ? all.map(asEnded) : all;
}

const UNTOUCHED = {
  status: 'pending',
  attempt: 0,
  input: null,
  output: null,
  error: null,
  cached: false,
  logs: [],
  startedAt: null,
  finishedAt: null,
  wakeAt: null,
  durationMs: null,
  attempts: [],
} as const;

function after(row: NodeExecution, event: JournalEvent): NodeExecution {
  const at = new Date(event.at).toISOString();
  switch (event.type) {
    case 'workflow.node.started': {
      const attempt = event.attempt ?? 1;
      const begun: NodeAttempt = { attempt, status: 'running', startedAt: at, finishedAt: null, error: null };
      const before = row.attempts.filter((known) => known.attempt !== attempt);
      const same = row.attempts.find((known) => known.attempt === attempt);
      return {
        ...row,
        status: 'running',
        attempt,
        input: event.data.input,
        startedAt: row.startedAt ?? at,
        wakeAt: null,
        attempts: [...before, same === undefined ? begun : { ...begun, startedAt: same.startedAt }],
      };
    }
    case 'workflow.node.complete':
      return {
        ...row,
        status: 'completed',
        output: event.data.output,
        error: null,
        cached: event.data.cached,
        logs: event.data.logs ?? [],
        finishedAt: at,
        durationMs: event.data.duration_ms,
        attempts: closed(row.attempts, 'completed', at, null),
      };
    case 'workflow.node.failed':
      return {
        ...row,
        status: 'failed',
        attempt: event.attempt ?? row.attempt,
        error: event.data.error,
        finishedAt: at,
        durationMs: event.data.duration_ms,
        attempts: closed(row.attempts, 'failed', at, event.data.error),
      };
    case 'workflow.node.retrying':
      return {
        ...row,
        status: 'retrying',
        error: event.data.error,
        wakeAt: event.data.retry_at,
        durationMs: event.data.duration_ms,
        attempts: closed(row.attempts, 'failed', at, event.data.error),
      };
    case 'workflow.node.skipped':
      return { ...row, status: 'skipped', finishedAt: at };
    case 'workflow.node.waiting':
      return { ...row, status: 'waiting', wakeAt: event.data.wake_at };
    default:
      return row;
  }
}

function closed(
  attempts: readonly NodeAttempt[],
  status: NodeExecutionStatus,
  finishedAt: string,
  error: NodeError | null,
): readonly NodeAttempt[] {
  return attempts.map((attempt, index) =>
    index === attempts.length - 1 ? { ...attempt, status, finishedAt, error } : attempt,
  );
}

function asEnded(row: NodeExecution): NodeExecution {
  const unfinished: readonly NodeExecutionStatus[] = ['pending', 'running', 'retrying', 'waiting'];
  if (!unfinished.includes(row.status)) return row;
  return {
    ...row,
    status: 'cancelled',
    wakeAt: null,
    attempts: row.attempts.map((attempt) =>
      attempt.status === 'running' ? { ...attempt, status: 'cancelled' } : attempt,
    ),
  };
}
