import type { EventType, JournalEvent } from '../../execution-events/index.js';

/** Events of an execution that gets on. */
const PROGRESS: readonly EventType[] = [
  'workflow.node.complete',
  'workflow.node.failed',
  'workflow.node.retrying',
  'workflow.node.skipped',
  'workflow.node.waiting',
];

/** Whether an execution made progress in some events. */
export function madeProgress(events: readonly JournalEvent[]): boolean {
  return events.some(({ type }) => PROGRESS.includes(type));
}

/**
 * How often its holder was lost since an execution last got on. One that gets on ends some day however often
 * that happens; one that does not may be what ends its holders.
 * @param before what that was before these events
 */
export function recoveriesInARow(events: readonly JournalEvent[], before = 0): number {
  const gotOn = events.findLastIndex(({ type }) => PROGRESS.includes(type));
  const lost = events
    .slice(gotOn + 1)
    .filter((event) => event.type === 'workflow.recovered' && event.data.cause === 'crash').length;
  return lost + (gotOn < 0 ? before : 0);
}
