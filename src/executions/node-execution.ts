import {
  isFinal,
  isSettled,
  type JournalEvent,
  type NodeError,
  type NodeEvent,
  type NodeStatus,
  type NodeTransition,
  nodeTransition,
  stateKey,
} from '../execution-events/index.js';
import { recordedValue, type RecordedValue } from '../long-values/index.js';
import type { ExecutionState } from '../engine/index.js';
import { isoTime } from '../platform/index.js';
import type { NodePlace } from './node-rows.js';

export interface NodeAttempt {
  readonly attempt: number;
  readonly status: NodeExecutionStatus;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly error: NodeError | null;
}

export type NodeExecutionStatus = NodeStatus | 'cancelled';

/** The state of a node in an execution. A node inside a loop has one state for each item. */
export interface NodeExecution {
  readonly nodeId: string;
  /** Index of the loop item, starting at 0. Null for a node outside of loops. */
  readonly iteration: number | null;
  readonly type: string;
  readonly name: string | null;
  readonly status: NodeExecutionStatus;
  readonly attempt: number;
  readonly input: RecordedValue;
  readonly output: RecordedValue;
  readonly error: NodeError | null;
  readonly cached: boolean;
  readonly logs: readonly string[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly wakeAt: string | null;
  /** The timer, signal or child execution for which the node waits. Null if the node does not wait. */
  readonly waitingFor: NodeWait | null;
  readonly childExecutionId: string | null;
  /** Duration of the node's last attempt in milliseconds. Null until an attempt has ended. */
  readonly durationMs: number | null;
  readonly attempts: readonly NodeAttempt[];
}

/**
 * The timer, signal or child execution for which a node waits. Only the event `workflow.node.waiting` contains the
 * links and approvers of an approval.
 */
export interface NodeWait {
  readonly kind: 'timer' | 'signal' | 'child';
  readonly signal: string | null;
  readonly title: string | null;
}

/**
 * Computes the states of nodes from the events of an execution. After the execution has ended, its unfinished nodes
 * have the status `cancelled`. After a loop has ended, this applies to the nodes of the loop.
 */
export class NodeTable {
  private readonly rows: Map<string, NodeExecution>;
  /** Whether a loop has ended, by id of the loop node. */
  private readonly loops: Map<string, boolean>;

  constructor(private readonly places: readonly NodePlace[]) {
    this.rows = new Map(
      places.map((place) => {
        const { id: nodeId, type, name } = place.node;
        const iteration = place.iteration?.index ?? null;
        return [keyOf(place), { ...PENDING_FIELDS, nodeId, iteration, type, name: name ?? null }];
      }),
    );
    this.loops = new Map(
      places.flatMap(({ iteration }) => (iteration === null ? [] : [[iteration.of, false]])),
    );
  }

  /** Applies an event to the state of its node. Events must be added in the order of the journal. */
  add(event: JournalEvent, sequence: number): void {
    if (event.nodeId === null) return;
    const key = stateKey(event.nodeId, event.data.iteration_of, event.data.iteration);
    const transition = nodeTransition(event);
    if (transition === null) return;
    const row = this.rows.get(key);
    if (row !== undefined) this.rows.set(key, after(row, event, transition, sequence));
    if (isSettled(transition.status) && this.loops.has(key)) this.loops.set(key, true);
  }

  list(status: ExecutionState['status']): readonly NodeExecution[] {
    return this.places.map((place) => {
      const row = this.rows.get(keyOf(place)) as NodeExecution;
      const isOver =
        isFinal(status) || (place.iteration !== null && this.loops.get(place.iteration.of) === true);
      return isOver ? asEnded(row) : row;
    });
  }
}

function keyOf({ node, iteration }: NodePlace): string {
  return stateKey(node.id, iteration?.of, iteration?.index);
}

const PENDING_FIELDS = {
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

function after(
  row: NodeExecution,
  event: NodeEvent,
  transition: NodeTransition,
  sequence: number,
): NodeExecution {
  const { status, error, wakeAt, wait } = transition;
  const at = isoTime(event.at);
  const next = {
    ...row,
    status,
    attempt: transition.attempt ?? row.attempt,
    // The error of the last failed attempt stays in the row until the node completes.
    error: status === 'completed' ? null : (error ?? row.error),
    wakeAt,
    waitingFor:
      wait === null
        ? null
        : { kind: wait.waiting_for, signal: wait.signal ?? null, title: wait.title ?? null },
    childExecutionId: wait?.child_execution_id ?? row.childExecutionId,
    finishedAt: isSettled(status) ? at : row.finishedAt,
    durationMs: 'duration_ms' in event.data ? event.data.duration_ms : row.durationMs,
    attempts: attemptsAfter(row.attempts, transition, at),
  };
  if (event.type === 'workflow.node.started')
    return {
      ...next,
      input: recordedValue(event.data, 'input', sequence),
      startedAt: row.startedAt ?? at,
    };
  if (event.type !== 'workflow.node.complete') return next;
  const { cached, logs = [] } = event.data;
  return { ...next, output: recordedValue(event.data, 'output', sequence), cached, logs };
}

function attemptsAfter(
  attempts: readonly NodeAttempt[],
  { status, attempt, error }: NodeTransition,
  at: string,
): readonly NodeAttempt[] {
  switch (status) {
    case 'running': {
      const same = attempts.find((known) => known.attempt === attempt);
      const begun = {
        attempt: attempt ?? 1,
        status,
        startedAt: same?.startedAt ?? at,
        finishedAt: null,
        error,
      };
      return [...attempts.filter((known) => known !== same), begun];
    }
    case 'retrying':
      return withLastEnded(attempts, { status: 'failed', finishedAt: at, error });
    case 'completed':
    case 'failed':
      return withLastEnded(attempts, { status, finishedAt: at, error });
    case 'pending':
    case 'waiting':
    case 'skipped':
      return attempts;
  }
}

function withLastEnded(
  attempts: readonly NodeAttempt[],
  end: Pick<NodeAttempt, 'status' | 'finishedAt' | 'error'>,
): readonly NodeAttempt[] {
  const last = attempts.at(-1);
  return last === undefined ? attempts : [...attempts.slice(0, -1), { ...last, ...end }];
}

function asEnded(row: NodeExecution): NodeExecution {
  if (row.status === 'cancelled' || isSettled(row.status)) return row;
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
