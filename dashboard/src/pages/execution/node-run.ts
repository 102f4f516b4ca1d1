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

/** A node that had not ended with its run was cancelled. */
export type NodeStatus = EventedStatus | 'cancelled';

/** A stretch of a node's life: it ran, it waited for something, or it waited for its next attempt. */
export interface Segment {
  readonly kind: 'run' | 'wait' | 'retry';
  readonly attempt: number;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  /** How it ended; `running` while it lasts, `interrupted` where its process was lost. */
  readonly outcome: 'running' | 'completed' | 'failed' | 'suspended' | 'interrupted' | 'cancelled';
  readonly error: NodeError | null;
}

/** What a node waits for. */
export interface Waiting {
  readonly kind: string;
  /** Epoch milliseconds; null where no timer ends it. */
  readonly wakeAt: number | null;
  readonly signal: string | null;
  readonly childId: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly approveUrl: string | null;
  readonly rejectUrl: string | null;
}

/** JSON of any size: a long one is not in the event, but behind an address. */
export interface Payload {
  readonly value: unknown;
  readonly url: string | null;
}

/** What became of a node so far. */
export interface NodeRun {
  readonly key: string;
  readonly id: string;
  readonly type: string;
  /** Inside of a loop: its id, and the place of the item from 0. */
  readonly loop: string | null;
  readonly iteration: number | null;
  readonly status: NodeStatus;
  readonly attempt: number;
  /** Attempts that it may have; null until it is known. */
  readonly maxAttempts: number | null;
  readonly input: Payload | null;
  readonly output: Payload | null;
  readonly error: NodeError | null;
  readonly logs: readonly string[];
  readonly cached: boolean;
  readonly segments: readonly Segment[];
  readonly waiting: Waiting | null;
  /** Of a loop: how many items there are. */
  readonly items: number | null;
  /** What it told of its own progress. */
  readonly told: { readonly fraction: number; readonly message: string | null } | null;
  /** The run that its last attempt started. */
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

/** How a change of status ends the segment before, and which segment it begins. */
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

/** The node after one of its events. */
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

/** Its process was lost: what ran is to run again. A loop goes on. */
export function interrupted(node: NodeRun, at: number): NodeRun {
  if (node.status !== 'running' || node.items !== null) return node;
  return { ...node, status: 'pending', segments: closed(node, at, SEGMENTS.pending.ends) };
}

/** The run is over: what was under way stopped with it. */
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

/** The segments with the one that lasts ended. */
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

/** A long value is not in its event, but behind a URL. */
function payload(data: WorkflowEvent['data'], field: 'input' | 'output'): Payload | null {
  const url = data[`${field}_url`];
  if (typeof url === 'string') return { value: data[field], url };
  return field in data ? { value: data[field], url: null } : null;
}
