import { type EventOf, type JournalEvent } from '../execution-events/index.js';
import { LongValue, recordedValue } from '../long-values/index.js';
import type { Plan } from './plan.js';

/** What is run again of an execution that ended. */
export interface ReuseRequest {
  /** Events of the execution that is retried, from the first on. */
  readonly events: readonly JournalEvent[];
  /** Its id. */
  readonly executionId: string;
  /** The plan that the retry runs. */
  readonly plan: Plan;
  /** Whether what a node's result follows from is the same in that plan as in the one that ran. */
  readonly isSame: (nodeId: string) => boolean;
  /** Nodes to run again though they are done. */
  readonly reset: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
}

type Settled = EventOf<'workflow.node.complete'> | EventOf<'workflow.node.skipped'>;

/**
 * The events that a retry's journal goes on with after `workflow.queued`: those of every node that was completed or
 * skipped, is still defined as it was, and comes after nothing that runs again. What `fold` makes of them is where
 * the retry begins.
 */
export function reusedEvents({
  events,
  executionId,
  plan,
  isSame,
  reset,
  now,
}: ReuseRequest): readonly JournalEvent[] {
  const last = lastOfEach(events.map((event, index) => withPlaces(event, executionId, index + 1)));
  const again = new Set(reset);
  const kept: JournalEvent[] = [];
  let completed = 0;
  for (const { id, needs } of plan.order) {
    const { started, settled } = last.get(id) ?? NOTHING;
    if (settled === null || again.has(id) || !isSame(id) || needs.some((need) => again.has(need))) {
      again.add(id);
      continue;
    }
    completed += 1;
    const progress = { completed, total: plan.order.length };
    if (settled.type === 'workflow.node.skipped') {
      kept.push({ ...settled, at: now, data: { ...settled.data, progress } });
      continue;
    }
    if (started !== null) kept.push(asWhole(started, now));
    const from = settled.data.reused_from ?? executionId;
    kept.push({ ...settled, at: now, data: { ...settled.data, cached: false, reused_from: from, progress } });
  }
  return kept;
}

/** Whether a node of an execution failed, one that it went on after included. */
export function hasFailedNode(events: readonly JournalEvent[]): boolean {
  return events.some((event) => event.type === 'workflow.node.failed' && !isInside(event));
}

interface LastEvents {
  readonly started: EventOf<'workflow.node.started'> | null;
  /** Null where the node is not done. */
  readonly settled: Settled | null;
}

const NOTHING: LastEvents = { started: null, settled: null };

/** Events inside a loop: a loop is reused, or runs again, as a whole. */
function isInside({ data }: JournalEvent): boolean {
  return 'iteration_of' in data;
}

const LONG_FIELDS = ['input', 'output', 'resumption'] as const;

/** The event with the places of its long values in the journal that it comes from. */
function withPlaces(event: JournalEvent, executionId: string, sequence: number): JournalEvent {
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

/** Without its items, of which nothing is copied. */
function asWhole(started: EventOf<'workflow.node.started'>, at: number): JournalEvent {
  const { iterations: _, ...data } = started.data;
  return { ...started, at, data };
}

function lastOfEach(events: readonly JournalEvent[]): ReadonlyMap<string, LastEvents> {
  const last = new Map<string, LastEvents>();
  for (const event of events) {
    if (isInside(event)) continue;
    if (event.type === 'workflow.node.started') last.set(event.nodeId, { started: event, settled: null });
    else if (event.type === 'workflow.node.complete' || event.type === 'workflow.node.skipped')
      last.set(event.nodeId, { started: last.get(event.nodeId)?.started ?? null, settled: event });
  }
  return last;
}
