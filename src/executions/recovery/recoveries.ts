import type { EventType, JournalEvent } from '../../engine/index.js';

/** Events of an execution that gets on. */
const PROGRESS: readonly EventType[] = [
  'workflow.node.complete',
  'workflow.node.failed',
  'workflow.node.retrying',
  'workflow.node.skipped',
  'workflow.node.waiting',
];

/**
 * How often its holder was lost since an execution last got on. One that gets on ends some day however often
 * that happens; one that does not may be what ends its holders.
 */
export function recoveriesInARow(events: readonly JournalEvent[]): number {
  const since = events.slice(events.findLastIndex(({ type }) => PROGRESS.includes(type)) + 1);
  return since.filter((event) => event.type === 'workflow.recovered' && event.data.cause === 'crash').length;
}
