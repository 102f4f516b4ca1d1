import type { EventType, JournalEvent } from '../../src/execution-events/index.js';

/** An event with only the data that a test needs. */
export function recordedEvent(
  type: EventType,
  at: number,
  nodeId: string | null,
  data: Readonly<Record<string, unknown>>,
): JournalEvent {
  return { type, at, nodeId, attempt: nodeId === null ? null : 1, data } as unknown as JournalEvent;
}
