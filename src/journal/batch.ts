import { type JournalEvent, type ReadEvent, upcast, versionOf } from '../execution-events/index.js';

export interface JournalScope {
  readonly executionId: string;
  readonly projectId: string;
  readonly workflowId: string;
  readonly sessionId: string | null;
  /**
   * Trace id of the execution. Absent in a batch that was read from the database, because the journal does not store
   * it.
   */
  readonly traceId?: string;
}

/** Events of one execution that were committed together, stored as one row of the journal. */
export interface Batch extends JournalScope {
  /** Id of the batch, a UUID v7, from which the ids of its events are derived. */
  readonly id: string;
  /** Position of the batch in the commit order of all executions. */
  readonly position: number;
  /** Sequence of the batch's first event. The sequences of the following events have no gaps. */
  readonly firstSequence: number;
  readonly events: readonly ReadEvent[];
}

export function lastSequence(batch: Pick<Batch, 'firstSequence' | 'events'>): number {
  return batch.firstSequence + batch.events.length - 1;
}

/** Returns the id of an event: the id of its batch, increased by the index of the event in the batch. */
export function eventId(batchId: string, index: number): string {
  if (index === 0) return batchId;
  const low = (Number.parseInt(batchId.slice(28), 16) + index) >>> 0;
  return batchId.slice(0, 28) + low.toString(16).padStart(8, '0');
}

/** Stored form of an event: a tuple of type, version, node, attempt, epoch milliseconds and data. */
type StoredTuple = readonly [string, number, string | null, number | null, number, object];

export function encodeBody(events: readonly JournalEvent[]): string {
  return JSON.stringify(
    events.map((event): StoredTuple => [
      event.type,
      versionOf(event),
      event.nodeId,
      event.attempt,
      event.at,
      event.data,
    ]),
  );
}

/** Decodes the events of a batch. Events of a newer service version, whose type is unknown, stay unchanged. */
export function decodeBody(body: string): readonly ReadEvent[] {
  return (JSON.parse(body) as readonly StoredTuple[]).map(decode);
}

/** Decodes the events of several batches. The bodies of the batches are joined by commas. */
export function decodeBodies(bodies: string): readonly ReadEvent[] {
  return (JSON.parse(`[${bodies}]`) as readonly (readonly StoredTuple[])[]).flat().map(decode);
}

function decode([type, version, nodeId, attempt, at, data]: StoredTuple): ReadEvent {
  return upcast({ type, version, nodeId, attempt, at, data });
}
