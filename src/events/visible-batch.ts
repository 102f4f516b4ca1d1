import { allows, type Principal } from '../access/index.js';
import type { Batch } from '../journal/index.js';

const withoutLinks = new WeakMap<Batch, Batch>();

/**
 * A batch as a principal may read it: an approval link decides for whoever has it, so events show it only to readers
 * with `executions:write`. The same object for every such reader, so its texts are made once.
 */
export function visibleBatch(batch: Batch, principal: Pick<Principal, 'role' | 'scopes'>): Batch {
  if (!batch.events.some(hasLinks) || allows(principal, 'executions:write')) return batch;
  let visible = withoutLinks.get(batch);
  if (visible === undefined) {
    visible = { ...batch, events: batch.events.map(strip) };
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
