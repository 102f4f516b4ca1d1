import type { EventType, JournalEvent } from '../../src/execution-events/index.js';

/** Creates an event that has only the given data, although its type requires more. */
export function recordedEvent(
  type: EventType,
  at: number,
  nodeId: string | null,
  data: Readonly<Record<string, unknown>>,
): JournalEvent {
  return { type, at, nodeId, attempt: nodeId === null ? null : 1, data } as unknown as JournalEvent;
}
