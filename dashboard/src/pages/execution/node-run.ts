import {
  isSettled,
  type NodeError,
  type NodeEventType,
  type NodeStatus as EventedStatus,
  type NodeTransition,
  nodeTransition,
  type Occurrence,
} from '../../../../src/execution-events/index.ts';
import type { WorkflowEvent } from '../../api/index.ts';

/**
 * Status of a node. A node that is unfinished when its execution ends gets the status `cancelled`, for which no node
 * event exists.
 */
export type NodeStatus = EventedStatus | 'cancelled';

export interface Segment {
  readonly kind: 'run' | 'wait' | 'retry';
  readonly attempt: number;
  readonly from: number;
  /** End of this segment of the node's history, in epoch milliseconds; null until the segment ends. */
  readonly to: number | null;
  /** Outcome of this segment: `running` until the segment ends; `interrupted` if the process crashed meanwhile. */
  readonly outcome: 'running' | 'completed' | 'failed' | 'suspended' | 'interrupted' | 'cancelled';
  readonly error: NodeError | null;
}

/** What a waiting node waits for. */
export interface Waiting {
  readonly kind: string;
  /** Time at which the wait ends, in epoch milliseconds; null for a wait without a timer. */
  readonly wakeAt: number | null;
  readonly signal: string | null;
  readonly childId: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly approveUrl: string | null;
  readonly rejectUrl: string | null;
}

/** The input or output of a node. If `url` is set, the value is a long value that is loaded from this URL. */
export interface Payload {
  readonly value: unknown;
  readonly url: string | null;
}

export interface NodeRun {
  readonly key: string;
  readonly id: string;
  readonly type: string;
  /** Node id of the loop that contains the node; null outside loops. */
  readonly loop: string | null;
  readonly iteration: number | null;
  readonly status: NodeStatus;
  readonly attempt: number;
  /** Maximum number of attempts; null until the first retry of the node. */
  readonly maxAttempts: number | null;
  readonly input: Payload | null;
  readonly output: Payload | null;
  readonly error: NodeError | null;
  readonly logs: readonly string[];
  readonly cached: boolean;
  readonly segments: readonly Segment[];
  readonly waiting: Waiting | null;
  /** Number of items if the node is a loop; otherwise null. */
  readonly items: number | null;
  /** Latest progress that the node reported, with `fraction` from 0 to 1; null before the first report. */
  readonly reported: { readonly fraction: number; readonly message: string | null } | null;
  /** Id of the child execution for which the node last waited; null without a child execution. */
  readonly childId: string | null;
  readonly skippedBecause: string | null;
  readonly endedAt: number | null;
}

export const NOT_BEGUN: NodeRun = {
  key: '',
  id: '',
  type: '',
  loop: null,
  iteration: null,
  status: 'pending',
  attempt: 0,
  maxAttempts: null,
  input: null,
  output: null,
  error: null,
  logs: [],
  cached: false,
  segments: [],
  waiting: null,
  items: null,
  reported: null,
  childId: null,
  skippedBecause: null,
  endedAt: null,
};

/**
 * A new status of a node ends one segment of its history and may begin another. For each status: the outcome of the
 * ended segment, and the kind of the new segment.
 */
const SEGMENTS: Readonly<
  Record<EventedStatus, { readonly ends: Segment['outcome']; readonly begins: Segment['kind'] | null }>
> = {
  pending: { ends: 'interrupted', begins: null },
  running: { ends: 'completed', begins: 'run' },
  retrying: { ends: 'failed', begins: 'retry' },
  waiting: { ends: 'suspended', begins: 'wait' },
  completed: { ends: 'completed', begins: null },
  failed: { ends: 'failed', begins: null },
  skipped: { ends: 'completed', begins: null },
};

/**
 * The state of a node after the next event of the node.
 * @param at time of the event, in epoch milliseconds
 */
export function nodeAfter(
  before: NodeRun,
  event: WorkflowEvent & Occurrence<NodeEventType>,
  at: number,
): NodeRun {
  const { node_id: id, node_type: type, iteration_of: loop = null, iteration = null } = event.data;
  const own: NodeRun = { ...before, id, type, loop, iteration };
  const transition = nodeTransition(event);
  const next = transition === null ? own : changed(own, transition, at);
  switch (event.type) {
    case 'workflow.node.started':
      return {
        ...next,
        input: payload(event.data, 'input') ?? own.input,
        items: event.data.iterations ?? own.items,
      };
    case 'workflow.node.complete': {
      const { cached, logs = [] } = event.data;
      return { ...next, output: payload(event.data, 'output'), cached, logs };
    }
    case 'workflow.node.retrying':
      return { ...next, maxAttempts: event.data.max_attempts };
    case 'workflow.node.skipped':
      return { ...next, skippedBecause: event.data.reason };
    case 'workflow.node.progress': {
      const { fraction, message, reminder } = event.data;
      return reminder === undefined ? { ...next, reported: { fraction, message } } : next;
    }
    default:
      return next;
  }
}

function changed(node: NodeRun, transition: NodeTransition, at: number): NodeRun {
  const { status, error, wait } = transition;
  const attempt = transition.attempt ?? node.attempt;
  const { ends, begins } = SEGMENTS[status];
  const past = closed(node, at, ends, error);
  return {
    ...node,
    status,
    attempt,
    error,
    waiting: waitingFor(transition),
    childId: wait?.child_execution_id ?? node.childId,
    segments:
      begins === null
        ? past
        : [...past, { kind: begins, attempt, from: at, to: null, outcome: 'running', error: null }],
    endedAt: isSettled(status) ? at : node.endedAt,
  };
}

/**
 * The state of a node after a crash of its process. A running node becomes `pending`, except a loop, which continues.
 */
export function interrupted(node: NodeRun, at: number): NodeRun {
  if (node.status !== 'running' || node.items !== null) return node;
  return { ...node, status: 'pending', segments: closed(node, at, SEGMENTS.pending.ends) };
}

export function stopped(node: NodeRun, at: number): NodeRun {
  if (node.status !== 'running' && node.status !== 'waiting' && node.status !== 'retrying') return node;
  return {
    ...node,
    status: 'cancelled',
    waiting: null,
    segments: closed(node, at, 'cancelled'),
    endedAt: at,
  };
}

function closed(
  { segments }: NodeRun,
  at: number,
  outcome: Segment['outcome'],
  error: NodeError | null = null,
): readonly Segment[] {
  const last = segments.at(-1);
  if (last === undefined || last.to !== null) return segments;
  return [...segments.slice(0, -1), { ...last, to: at, outcome, error }];
}

function waitingFor({ status, wakeAt, wait }: NodeTransition): Waiting | null {
  if (status !== 'waiting' && status !== 'retrying') return null;
  return {
    kind: wait?.waiting_for ?? 'retry',
    wakeAt: wakeAt === null ? null : Date.parse(wakeAt),
    signal: wait?.signal ?? null,
    childId: wait?.child_execution_id ?? null,
    title: wait?.title ?? null,
    description: wait?.description ?? null,
    approveUrl: wait?.approve_url ?? null,
    rejectUrl: wait?.reject_url ?? null,
  };
}

/**
 * Reads the input or output from an event. For a long value, the event contains the URL from which the value is loaded.
 */
function payload(data: WorkflowEvent['data'], field: 'input' | 'output'): Payload | null {
  const url = data[`${field}_url`];
  if (typeof url === 'string') return { value: data[field], url };
  return field in data ? { value: data[field], url: null } : null;
}
