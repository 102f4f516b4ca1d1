import { allows, type Principal } from '../access/index.js';
import type { Batch } from '../journal/index.js';

/** Batches as readers without `executions:write` see them: the batch itself where it has no links. */
const withoutLinks = new WeakMap<Batch, Batch>();

/**
 * A batch as a principal may read it: an approval link decides for whoever has it, so events show it only to readers
 * with `executions:write`. The same object for every such reader, so its texts are made once.
 */
export function visibleBatch(batch: Batch, principal: Pick<Principal, 'role' | 'scopes'>): Batch {
  // Asked for each event and reader: the events of a batch are looked at once.
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
