import { allows, type Principal } from '../access/index.js';
import type { Batch } from '../journal/index.js';

/** Batches without approval links, by original batch. A batch that has no links maps to itself. */
const withoutLinks = new WeakMap<Batch, Batch>();

/**
 * Returns the batch that a principal may read. Readers without `executions:write` do not get approval links, because
 * anyone with a link can approve or reject. All these readers share one object, so that its JSON is built only once.
 */
export function visibleBatch(batch: Batch, principal: Pick<Principal, 'role' | 'scopes'>): Batch {
  // Called for each event and reader. The removal of links is cached per batch.
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
