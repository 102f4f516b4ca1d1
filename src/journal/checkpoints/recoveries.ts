import { type JournalEvent, nodeTransition } from '../../execution-events/index.js';

/** Whether an event counts as progress: the event gives a node a status other than `running`. */
function isProgress(event: JournalEvent): boolean {
  const transition = event.nodeId === null ? null : nodeTransition(event);
  return transition !== null && transition.status !== 'running';
}

export function madeProgress(events: readonly JournalEvent[]): boolean {
  return events.some(isProgress);
}

/**
 * Returns the number of crash recoveries since the last progress. Many such recoveries suggest that the execution
 * causes the crashes.
 * @param before number of crash recoveries before the first of the given events
 */
export function recoveriesInARow(events: readonly JournalEvent[], before = 0): number {
  const gotOn = events.findLastIndex(isProgress);
  const lost = events
    .slice(gotOn + 1)
    .filter((event) => event.type === 'workflow.recovered' && event.data.cause === 'crash').length;
  return lost + (gotOn < 0 ? before : 0);
}
