import { allows, type Principal } from '../access/index.js';
import type { Batch } from '../journal/index.js';

/**
 * Cached batches without approval links, for readers without `executions:write`. A batch without links maps to itself.
 */
const withoutLinks = new WeakMap<Batch, Batch>();

/**
 * The batch as a principal may read it. Anyone with an approval link can decide, so only readers with
 * `executions:write` see links. All other readers share one object, so its texts are built once.
 */
export function visibleBatch(batch: Batch, principal: Pick<Principal, 'role' | 'scopes'>): Batch {
  // Called for each event and reader; the batch is scanned only once.
  return allows(principal, 'executions:write') ? batch : batchWithoutLinks(batch);
}

function batchWithoutLinks(batch: Batch): Batch {
  let visible = withoutLinks.get(batch);
  if (visible === undefined) {
    visible = batch.events.some(hasLinks) ? { ...batch, events: batch.events.map(strip) } : batch;
    withoutLinks.set(batch, visible);
  }
  return visible;
}

type Event = Batch['events'][number];

function hasLinks({ data }: Event): boolean {
  return 'approve_url' in data || 'reject_url' in data;
}

function strip(event: Event): Event {
  if (!hasLinks(event)) return event;
  const data = Object.entries(event.data).filter(([name]) => name !== 'approve_url' && name !== 'reject_url');
  return { ...event, data: Object.fromEntries(data) } as Event;
}
