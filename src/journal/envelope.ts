import type { ExecutionError, ReadEvent, NodeError } from '../execution-events/index.js';
import { isoTime } from '../platform/index.js';
import { publicUrl } from '../http/index.js';
import { type Batch, eventId } from './batch.js';
import { encodeCursor } from './cursor.js';
import { wireError } from './wire-error.js';

/** The form of an event that clients receive over WebSocket, SSE, REST and webhooks. */
export interface Envelope {
  readonly id: string;
  /** Type of the event: an `EventType`, or an unknown type that a newer service version recorded. */
  readonly type: string;
  /** Number of the event within its execution, from 1 without gaps. */
  readonly sequence: number;
  readonly cursor: string;
  readonly created_at: string;
  readonly project_id: string;
  readonly workflow_id: string;
  readonly execution_id: string;
  readonly session_id: string | null;
  readonly node_id: string | null;
  readonly attempt: number | null;
  readonly data: object;
}

export function envelopeOf(batch: Batch, index: number): Envelope {
  const event = batch.events[index];
  if (event === undefined) throw new RangeError(`The journal batch has no event with index ${index}.`);
  return {
    id: eventId(batch.id, index),
    type: event.type,
    sequence: batch.firstSequence + index,
    cursor: encodeCursor({ position: batch.position, index }),
    created_at: isoTime(event.at),
    project_id: batch.projectId,
    workflow_id: batch.workflowId,
    execution_id: batch.executionId,
    session_id: batch.sessionId,
    node_id: event.nodeId,
    attempt: event.attempt,
    data: withUrls(dataOf(event)),
  };
}

/** Returns the data of an event. An error gets the same fields, whether a node or the whole execution failed. */
function dataOf({ nodeId, data }: ReadEvent): object {
  const error = (data as { readonly error?: NodeError | ExecutionError }).error;
  return error === undefined ? data : { ...data, error: wireError(error, nodeId) };
}

/** Converts the stored URL paths of long values to absolute URLs. */
function withUrls(data: object): object {
  if (!Object.hasOwn(data, 'output_url') && !Object.hasOwn(data, 'input_url')) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, unknown]) => [
      name,
      name.endsWith('_url') && typeof value === 'string' && value.startsWith('/') ? publicUrl(value) : value,
    ]),
  );
}

const texts = new WeakMap<Batch, string[]>();

/** Returns the JSON text of an event's envelope. The text is cached with its batch, so that all sockets share it. */
export function envelopeText(batch: Batch, index: number): string {
  let made = texts.get(batch);
  if (made === undefined) texts.set(batch, (made = []));
  return (made[index] ??= JSON.stringify(envelopeOf(batch, index)));
}
