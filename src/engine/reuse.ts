import { type EventOf, type JournalEvent } from '../execution-events/index.js';
import { LongValue, recordedValue } from '../long-values/index.js';
import type { Plan } from './plan.js';

/** The execution that is retried, and the compiled workflow of the retry. */
export interface ReuseRequest {
  /** All events of the execution that is retried. */
  readonly events: readonly JournalEvent[];
  /** Id of the execution that is retried. */
  readonly executionId: string;
  readonly plan: Plan;
  /** Whether everything that determines a node's result is equal in the retried execution and in the retry. */
  readonly isSame: (nodeId: string) => boolean;
  /** Ids of nodes that must run again although they have ended. */
  readonly reset: readonly string[];
  /** Current time, in epoch milliseconds. */
  readonly now: number;
}

type Settled = EventOf<'workflow.node.complete'> | EventOf<'workflow.node.skipped'>;

/**
 * Returns the events that follow `workflow.queued` in the journal of a retry: copies of the events of completed or
 * skipped nodes. A node is left out if the node or a node that it needs has changed or must run again. The fold of
 * these events is the initial state of the retry.
 */
export function reusedEvents({
  events,
  executionId,
  plan,
  isSame,
  reset,
  now,
}: ReuseRequest): readonly JournalEvent[] {
  const lastEvents = lastEventsByNode(
    events.map((event, index) => withLongValueReferences(event, executionId, index + 1)),
  );
  const rerun = new Set(reset);
  const kept: JournalEvent[] = [];
  let completed = 0;
  for (const { id, needs } of plan.order) {
    const { started, settled } = lastEvents.get(id) ?? NO_EVENTS;
    if (settled === null || rerun.has(id) || !isSame(id) || needs.some((need) => rerun.has(need))) {
      rerun.add(id);
      continue;
    }
    completed += 1;
    const progress = { completed, total: plan.order.length };
    if (settled.type === 'workflow.node.skipped') {
      kept.push({ ...settled, at: now, data: { ...settled.data, progress } });
      continue;
    }
    if (started !== null) kept.push(withoutIterations(started, now));
    const from = settled.data.reused_from ?? executionId;
    kept.push({ ...settled, at: now, data: { ...settled.data, cached: false, reused_from: from, progress } });
  }
  return kept;
}

/**
 * Whether a node of the execution failed, even if the execution continued after the failure. Nodes inside loops do not
 * count.
 */
export function hasFailedNode(events: readonly JournalEvent[]): boolean {
  return events.some((event) => event.type === 'workflow.node.failed' && !isInsideLoop(event));
}

interface LastEvents {
  readonly started: EventOf<'workflow.node.started'> | null;
  /** The event that completed or skipped the node; null if the node has no such event since its last start. */
  readonly settled: Settled | null;
}

const NO_EVENTS: LastEvents = { started: null, settled: null };

/**
 * Whether an event belongs to a node inside a loop. Such events are not copied, because a loop is reused or repeated as
 * a whole.
 */
function isInsideLoop({ data }: JournalEvent): boolean {
  return 'iteration_of' in data;
}

const LONG_FIELDS = ['input', 'output', 'resumption'] as const;

/** Replaces the long values of an event by references to the journal of the retried execution. */
function withLongValueReferences(event: JournalEvent, executionId: string, sequence: number): JournalEvent {
  const long = LONG_FIELDS.filter((field) => `${field}_truncated` in event.data);
  if (long.length === 0) return event;
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event.data)) {
    const field = long.find((one) => name.startsWith(`${one}_`));
    if (field === undefined) data[name] = value;
    else if (name === `${field}_truncated`) {
      const { size } = recordedValue(event.data, field, sequence) as LongValue;
      data[field] = LongValue.storedAt({ executionId, sequence, field }, size);
    }
  }
  return { ...event, data } as unknown as JournalEvent;
}

/**
 * Returns the start event of a loop without its number of iterations, because the events of the loop's items are not
 * copied.
 */
function withoutIterations(started: EventOf<'workflow.node.started'>, at: number): JournalEvent {
  const { iterations: _, ...data } = started.data;
  return { ...started, at, data };
}

function lastEventsByNode(events: readonly JournalEvent[]): ReadonlyMap<string, LastEvents> {
  const last = new Map<string, LastEvents>();
  for (const event of events) {
    if (isInsideLoop(event)) continue;
    if (event.type === 'workflow.node.started') last.set(event.nodeId, { started: event, settled: null });
    else if (event.type === 'workflow.node.complete' || event.type === 'workflow.node.skipped')
      last.set(event.nodeId, { started: last.get(event.nodeId)?.started ?? null, settled: event });
  }
  return last;
}
