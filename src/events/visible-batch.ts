import { allows, type Principal } from '../access/index.js';
import type { Batch } from '../journal/index.js';

/**
 * Cache of journal batches without approval links, by original batch. A batch that contains no links maps to itself.
 */
const withoutLinks = new WeakMap<Batch, Batch>();

/**
 * Returns a journal batch as a principal may read it. Approval links are removed for principals without
 * `executions:write`, because anyone with such a link can approve or reject. All these principals share one copy, so
 * that its JSON is built only once.
 */
export function visibleBatch(batch: Batch, principal: Pick<Principal, 'role' | 'scopes'>): Batch {
  // `visibleBatch` runs for every batch and every reader, so the copy without approval links is cached.
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
