import { type JournalEvent, nodeTransition } from '../../execution-events/index.js';

/** Whether an event shows that the execution advances: a node left the status `running`, or was skipped. */
function isProgress(event: JournalEvent): boolean {
  const transition = event.nodeId === null ? null : nodeTransition(event);
  return transition !== null && transition.status !== 'running';
}

/** Whether an execution made progress in some events. */
export function madeProgress(events: readonly JournalEvent[]): boolean {
  return events.some(isProgress);
}

/**
 * How often its holder was lost since an execution last got on. One that gets on ends some day however often
 * that happens; one that does not may be what ends its holders.
 * @param before what that was before these events
 */
export function recoveriesInARow(events: readonly JournalEvent[], before = 0): number {
  const gotOn = events.findLastIndex(isProgress);
  const lost = events
    .slice(gotOn + 1)
    .filter((event) => event.type === 'workflow.recovered' && event.data.cause === 'crash').length;
  return lost + (gotOn < 0 ? before : 0);
}
