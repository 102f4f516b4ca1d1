import { type JournalEvent, nodeTransition } from '../../execution-events/index.js';

/** Whether an event gives a node another status than `running`. */
function isProgress(event: JournalEvent): boolean {
  const transition = event.nodeId === null ? null : nodeTransition(event);
  return transition !== null && transition.status !== 'running';
}

export function madeProgress(events: readonly JournalEvent[]): boolean {
  return events.some(isProgress);
}

/**
 * Number of crash recoveries since the last progress. Many recoveries suggest that the execution causes the crashes.
 *
 * @param before the count before the first of these events
 */
export function recoveriesInARow(events: readonly JournalEvent[], before = 0): number {
  const gotOn = events.findLastIndex(isProgress);
  const lost = events
    .slice(gotOn + 1)
    .filter((event) => event.type === 'workflow.recovered' && event.data.cause === 'crash').length;
  return lost + (gotOn < 0 ? before : 0);
}
