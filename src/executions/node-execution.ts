import {
  type EventDataByType,
  type JournalEvent,
  recordedValue,
  type NodeError,
  type RecordedValue,
} from '../execution-events/index.js';
import { type ExecutionState, isFinal, stateKey } from '../engine/index.js';
import { isoTime } from '../platform/index.js';
import type { NodePlace } from './node-rows.js';

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

/** What became of one node of an execution, or of one for one item. */
export interface NodeExecution {
  readonly nodeId: string;
  /** Place of its item in the list, from 0; null outside of loops. */
  readonly iteration: number | null;
  readonly type: string;
  readonly name: string | null;
  readonly status: NodeExecutionStatus;
  readonly attempt: number;
  readonly input: RecordedValue;
  readonly output: RecordedValue;
  readonly error: NodeError | null;
  readonly cached: boolean;
  /** What it logged. */
  readonly logs: readonly string[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly wakeAt: string | null;
  /** Set while it waits. */
  readonly waitingFor: NodeWait | null;
  /** The execution that its last attempt started. */
  readonly childExecutionId: string | null;
  /** Milliseconds of the last attempt. */
  readonly durationMs: number | null;
  readonly attempts: readonly NodeAttempt[];
}

/** What a node waits for; where a person decides it is told by the event alone. */
export interface NodeWait {
  readonly kind: 'timer' | 'signal' | 'child';
  readonly signal: string | null;
  /** Of an approval. */
  readonly title: string | null;
}

/**
 * Rows of an execution's nodes, put together from its journal. What had not ended when the execution or its loop
 * did, was cancelled.
 */
export class NodeTable {
  private readonly rows: Map<string, NodeExecution>;
  /** Loops that rows stand in: whether they are over. */
  private readonly loops: Map<string, boolean>;

  constructor(private readonly places: readonly NodePlace[]) {
    this.rows = new Map(
      places.map((place) => {
        const { id: nodeId, type, name } = place.node;
        const iteration = place.iteration?.index ?? null;
        return [keyOf(place), { ...UNTOUCHED, nodeId, iteration, type, name: name ?? null }];
      }),
    );
    this.loops = new Map(
      places.flatMap(({ iteration }) => (iteration === null ? [] : [[iteration.of, false]])),
    );
  }

  /** Takes in an event; they come in the order of the journal. */
  add(event: JournalEvent, sequence: number): void {
    if (event.nodeId === null) return;
    const key = eventKey(event);
    const row = this.rows.get(key);
    if (row !== undefined) this.rows.set(key, after(row, event, sequence));
    if (this.endsLoop(event)) this.loops.set(key, true);
  }

  list(status: ExecutionState['status']): readonly NodeExecution[] {
    return this.places.map((place) => {
      const row = this.rows.get(keyOf(place)) as NodeExecution;
      const isOver =
        isFinal(status) || (place.iteration !== null && this.loops.get(place.iteration.of) === true);
      return isOver ? asEnded(row) : row;
    });
  }

  private endsLoop(event: JournalEvent): boolean {
    const isEnd = event.type === 'workflow.node.complete' || event.type === 'workflow.node.failed';
    return isEnd && this.loops.has(eventKey(event));
  }
}

function keyOf({ node, iteration }: NodePlace): string {
  return stateKey(node.id, iteration?.of, iteration?.index);
}

function eventKey({ nodeId, data }: JournalEvent): string {
  if (!('node_id' in data)) return '';
  return stateKey(nodeId ?? '', data.iteration_of, data.iteration);
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
  waitingFor: null,
  childExecutionId: null,
  durationMs: null,
  attempts: [],
} as const;

function after(row: NodeExecution, event: JournalEvent, sequence: number): NodeExecution {
  const at = isoTime(event.at);
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
        input: recordedValue(event.data, 'input', sequence),
        startedAt: row.startedAt ?? at,
        wakeAt: null,
        waitingFor: null,
        attempts: [...before, same === undefined ? begun : { ...begun, startedAt: same.startedAt }],
      };
    }
    case 'workflow.node.complete':
      return {
        ...row,
        status: 'completed',
        output: recordedValue(event.data, 'output', sequence),
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
        wakeAt: null,
        waitingFor: null,
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
      return { ...row, status: 'waiting', wakeAt: event.data.wake_at, ...waited(event.data, row) };
    default:
      return row;
  }
}

function waited(
  { waiting_for: kind, signal, title, child_execution_id: child }: EventDataByType['workflow.node.waiting'],
  row: NodeExecution,
): Pick<NodeExecution, 'waitingFor' | 'childExecutionId'> {
  return {
    waitingFor: { kind, signal: signal ?? null, title: title ?? null },
    childExecutionId: child ?? row.childExecutionId,
  };
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
    waitingFor: null,
    attempts: row.attempts.map((attempt) =>
      attempt.status === 'running' ? { ...attempt, status: 'cancelled' } : attempt,
    ),
  };
}
