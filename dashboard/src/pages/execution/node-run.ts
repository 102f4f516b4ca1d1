import type { WorkflowEvent } from '../../api/index.ts';

export type NodeStatus =
  'pending' | 'running' | 'retrying' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'cancelled';

export interface NodeFault {
  readonly type: string;
  readonly message: string;
  readonly details?: unknown;
}

/** A stretch of a node's life: it ran, it waited for something, or it waited for its next attempt. */
export interface Segment {
  readonly kind: 'run' | 'wait' | 'retry';
  readonly attempt: number;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  /** How it ended; `running` while it lasts, `interrupted` where its process was lost. */
  readonly outcome: 'running' | 'completed' | 'failed' | 'suspended' | 'interrupted' | 'cancelled';
  readonly error: NodeFault | null;
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
  readonly error: NodeFault | null;
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

type Data = WorkflowEvent['data'];

/** The node after one of its events. */
export function nodeAfter(before: NodeRun, event: WorkflowEvent): NodeRun {
  const { data } = event;
  const at = Date.parse(event.created_at);
  const attempt = event.attempt ?? before.attempt;
  const own: NodeRun = {
    ...before,
    id: event.node_id ?? '',
    type: text(data, 'node_type') ?? before.type,
    loop: text(data, 'iteration_of'),
    iteration: figure(data, 'iteration'),
    attempt,
  };
  switch (event.type) {
    case 'workflow.node.started':
      return {
        ...own,
        status: 'running',
        input: payload(data, 'input') ?? own.input,
        items: figure(data, 'iterations') ?? own.items,
        waiting: null,
        error: null,
        segments: [...closed(own, at, 'completed'), open('run', attempt, at)],
      };
    case 'workflow.node.complete':
      return {
        ...own,
        status: 'completed',
        output: payload(data, 'output'),
        logs: lines(data['logs']),
        cached: data['cached'] === true,
        waiting: null,
        segments: closed(own, at, 'completed'),
        endedAt: at,
      };
    case 'workflow.node.failed': {
      const error = faultIn(data['error']);
      return {
        ...own,
        status: 'failed',
        error,
        waiting: null,
        segments: closed(own, at, 'failed', error),
        endedAt: at,
      };
    }
    case 'workflow.node.retrying': {
      const error = faultIn(data['error']);
      return {
        ...own,
        status: 'retrying',
        error,
        maxAttempts: figure(data, 'max_attempts'),
        waiting: waitingFor({ ...data, waiting_for: 'retry', wake_at: data['retry_at'] }),
        segments: [...closed(own, at, 'failed', error), open('retry', attempt, at)],
      };
    }
    case 'workflow.node.skipped':
      return { ...own, status: 'skipped', skippedBecause: text(data, 'reason'), endedAt: at };
    case 'workflow.node.waiting':
      return {
        ...own,
        status: 'waiting',
        waiting: waitingFor(data),
        childId: text(data, 'child_execution_id') ?? own.childId,
        segments: [...closed(own, at, 'suspended'), open('wait', attempt, at)],
      };
    case 'workflow.node.progress':
      return { ...own, told: { fraction: figure(data, 'fraction') ?? 0, message: text(data, 'message') } };
    default:
      return own;
  }
}

/** Its process was lost: what ran is to run again. */
export function interrupted(node: NodeRun, at: number): NodeRun {
  if (node.status !== 'running') return node;
  return { ...node, status: 'pending', segments: closed(node, at, 'interrupted') };
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

function open(kind: Segment['kind'], attempt: number, from: number): Segment {
  return { kind, attempt, from, to: null, outcome: 'running', error: null };
}

/** The segments with the one that lasts ended. */
function closed(
  { segments }: NodeRun,
  at: number,
  outcome: Segment['outcome'],
  error: NodeFault | null = null,
): readonly Segment[] {
  const last = segments.at(-1);
  if (last === undefined || last.to !== null) return segments;
  return [...segments.slice(0, -1), { ...last, to: at, outcome, error }];
}

function waitingFor(data: Data): Waiting {
  const wakeAt = text(data, 'wake_at');
  return {
    kind: text(data, 'waiting_for') ?? 'timer',
    wakeAt: wakeAt === null ? null : Date.parse(wakeAt),
    signal: text(data, 'signal'),
    childId: text(data, 'child_execution_id'),
    title: text(data, 'title'),
    description: text(data, 'description'),
    approveUrl: text(data, 'approve_url'),
    rejectUrl: text(data, 'reject_url'),
  };
}

function payload(data: Data, field: 'input' | 'output'): Payload | null {
  const url = text(data, `${field}_url`);
  return field in data || url !== null ? { value: data[field], url } : null;
}

function text(data: Data, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' ? value : null;
}

function figure(data: Data, field: string): number | null {
  const value = data[field];
  return typeof value === 'number' ? value : null;
}

function lines(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function faultIn(value: unknown): NodeFault | null {
  return typeof value === 'object' && value !== null && 'message' in value ? (value as NodeFault) : null;
}
