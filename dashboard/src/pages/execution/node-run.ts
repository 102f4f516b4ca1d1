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

/** An unfinished node of an ended execution counts as cancelled. */
export type NodeStatus = EventedStatus | 'cancelled';

export interface Segment {
  readonly kind: 'run' | 'wait' | 'retry';
  readonly attempt: number;
  readonly from: number;
  /** Null until the span ends. */
  readonly to: number | null;
  /** `running` until the span ends; `interrupted` after a crash of the process. */
  readonly outcome: 'running' | 'completed' | 'failed' | 'suspended' | 'interrupted' | 'cancelled';
  readonly error: NodeError | null;
}

/** Why a node waits. */
export interface Waiting {
  readonly kind: string;
  /** Epoch milliseconds; null for a wait without a timer. */
  readonly wakeAt: number | null;
  readonly signal: string | null;
  readonly childId: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly approveUrl: string | null;
  readonly rejectUrl: string | null;
}

/** JSON of any size. Long values are loaded from a URL. */
export interface Payload {
  readonly value: unknown;
  readonly url: string | null;
}

export interface NodeRun {
  readonly key: string;
  readonly id: string;
  readonly type: string;
  /** Node id of the loop and index of the item, for a node inside a loop. */
  readonly loop: string | null;
  readonly iteration: number | null;
  readonly status: NodeStatus;
  readonly attempt: number;
  /** Null if unknown. */
  readonly maxAttempts: number | null;
  readonly input: Payload | null;
  readonly output: Payload | null;
  readonly error: NodeError | null;
  readonly logs: readonly string[];
  readonly cached: boolean;
  readonly segments: readonly Segment[];
  readonly waiting: Waiting | null;
  /** Number of items of a loop. */
  readonly items: number | null;
  /** Progress that the node reported. */
  readonly told: { readonly fraction: number; readonly message: string | null } | null;
  /** Child execution of the last attempt. */
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
  told: null,
  childId: null,
  skippedBecause: null,
  endedAt: null,
};

/** For each status: how the open segment ends, and which segment starts. */
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

/** The state of a node after one more event. */
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
      return reminder === undefined ? { ...next, told: { fraction, message } } : next;
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
 * The state of a node after a crash of its process. A loop continues; any other running node is
 * interrupted.
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

/** The event of a long value contains a URL instead of the value. */
function payload(data: WorkflowEvent['data'], field: 'input' | 'output'): Payload | null {
  const url = data[`${field}_url`];
  if (typeof url === 'string') return { value: data[field], url };
  return field in data ? { value: data[field], url: null } : null;
}
