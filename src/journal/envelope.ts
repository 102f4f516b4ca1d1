import type { ReadEvent } from '../engine/index.js';
import { type Batch, eventId } from './batch.js';
import { encodeCursor } from './cursor.js';

/** The one form in which an event leaves the service: WebSocket, SSE, REST and webhooks carry these bytes. */
export interface Envelope {
  readonly id: string;
  /** An `EventType`, or one of a newer version of the service. */
  readonly type: string;
  /** Per execution, from 1, without gaps. */
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

/** The envelope of the event at an index of a batch. */
export function envelopeOf(batch: Batch, index: number): Envelope {
  const event = eventAt(batch, index);
  return {
    id: eventId(batch.id, index),
    type: event.type,
    sequence: batch.firstSequence + index,
    cursor: encodeCursor({ position: batch.position, index }),
    created_at: new Date(event.at).toISOString(),
    project_id: batch.projectId,
    workflow_id: batch.workflowId,
    execution_id: batch.executionId,
    session_id: batch.sessionId,
    node_id: event.nodeId,
    attempt: event.attempt,
    data: event.data,
  };
}

/** What the texts of a batch's events have in common, and those that were made. */
interface BatchTexts {
  readonly scope: string;
  readonly made: string[];
}

const texts = new WeakMap<Batch, BatchTexts>();

/** JSON text of an envelope. Made once for a batch however many sockets it goes to. */
export function envelopeText(batch: Batch, index: number): string {
  let known = texts.get(batch);
  if (known === undefined) texts.set(batch, (known = { scope: scopeText(batch), made: [] }));
  return (known.made[index] ??= textOf(batch, index, known.scope));
}

/** The envelope as `JSON.stringify` writes it, in half its time: what is known not to need it is not escaped. */
function textOf(batch: Batch, index: number, scope: string): string {
  const event = eventAt(batch, index);
  const head = `{"id":"${eventId(batch.id, index)}","type":${JSON.stringify(event.type)}`;
  const place = `"sequence":${batch.firstSequence + index},"cursor":"${encodeCursor({ position: batch.position, index })}"`;
  const at = `"created_at":"${new Date(event.at).toISOString()}"`;
  const node = `"node_id":${JSON.stringify(event.nodeId)},"attempt":${event.attempt}`;
  return `${head},${place},${at},${scope},${node},"data":${JSON.stringify(event.data)}}`;
}

function scopeText({ projectId, workflowId, executionId, sessionId }: Batch): string {
  return JSON.stringify({
    project_id: projectId,
    workflow_id: workflowId,
    execution_id: executionId,
    session_id: sessionId,
  }).slice(1, -1);
}

function eventAt(batch: Batch, index: number): ReadEvent {
  const event = batch.events[index];
  if (event === undefined) throw new RangeError(`The batch has no event ${index}.`);
  return event;
}
