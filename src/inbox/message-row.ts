import { LongValue } from '../long-values/index.js';
import { type RecordedChildEnd } from '../execution-events/index.js';
import type { Message } from '../engine/index.js';
import { insertShape, type RowShape, type SqlValue, updateShape, type Write } from '../storage/index.js';

const COLUMNS = {
  id: 'uuid',
  execution_id: 'uuid',
  kind: 'text',
  name: 'text',
  payload: 'text',
  node_id: 'text',
  attempt: 'integer',
  traceparent: 'text',
  created_at: 'timestamptz',
} as const;

export const MESSAGE_COLUMNS = Object.keys(COLUMNS);

const INSERT = insertShape('execution_messages', COLUMNS);

const SEEN = updateShape('execution_messages', { seen_at: 'timestamptz' }, { id: 'uuid' });

const DELETE: RowShape = {
  sqlite: 'DELETE FROM execution_messages WHERE id = ?',
  postgres: 'DELETE FROM execution_messages AS t USING unnest($1::uuid[]) AS v(id) WHERE t.id = v.id',
};

/** A row of the table `execution_messages`. The payload is JSON text. */
export interface MessageRow {
  readonly id: string;
  readonly kind: Message['kind'];
  readonly name: string | null;
  readonly payload: string;
  readonly node_id: string | null;
  readonly attempt: number | null;
  readonly traceparent: string | null;
  readonly seen_at: string | Date | null;
}

export function insertMessage(executionId: string, message: Message, createdAt: string): Write {
  return { shape: INSERT, row: messageValues(executionId, message, createdAt) };
}

/** Returns the column values of a message in the order of `MESSAGE_COLUMNS`. */
export function messageValues(executionId: string, message: Message, createdAt: string): readonly SqlValue[] {
  const { name, payload, to, traceparent } =
    message.kind === 'signal'
      ? message
      : { name: null, payload: payloadOf(message), to: null, traceparent: undefined };
  return [
    message.id,
    executionId,
    message.kind,
    name,
    JSON.stringify(payload),
    to?.nodeId ?? null,
    to?.attempt ?? null,
    traceparent ?? null,
    createdAt,
  ];
}

export function deleteMessage(id: string): Write {
  return { shape: DELETE, row: [id] };
}

export function markSeen(id: string, at: string): Write {
  return { shape: SEEN, row: [at, id] };
}

/** @throws SyntaxError when the payload is not the JSON that `insertMessage` writes */
export function messageOf({
  id,
  kind,
  name,
  payload,
  node_id: nodeId,
  attempt,
  traceparent,
}: MessageRow): Message {
  const value: unknown = JSON.parse(payload);
  switch (kind) {
    case 'signal':
      return {
        id,
        kind,
        name: name ?? '',
        payload: value as Extract<Message, { kind: 'signal' }>['payload'],
        to: nodeId === null ? null : { nodeId, attempt: attempt ?? 1 },
        ...(traceparent === null ? {} : { traceparent }),
      };
    case 'child':
      return { id, kind, end: childEnd(value as StoredChildEnd) };
    case 'pause':
      return { id, kind, reason: value as string | null };
    default:
      return { id, kind };
  }
}

function payloadOf(message: Exclude<Message, { kind: 'signal' }>): unknown {
  if (message.kind === 'child') return storedChildEnd(message.end);
  return message.kind === 'pause' ? message.reason : null;
}

/**
 * JSON of the message about the end of a child execution. A long output stays in the journal of the child, and the
 * message contains only its location.
 */
type StoredChildEnd = Omit<RecordedChildEnd, 'output'> & {
  readonly output: Exclude<RecordedChildEnd['output'], LongValue>;
  readonly output_at?: { readonly sequence: number; readonly size: number };
};

function storedChildEnd({ output, ...end }: RecordedChildEnd): StoredChildEnd {
  if (!(output instanceof LongValue)) return { ...end, output };
  return { ...end, output: null, output_at: { sequence: output.place?.sequence ?? 0, size: output.size } };
}

function childEnd({ output_at: at, ...end }: StoredChildEnd): RecordedChildEnd {
  if (at === undefined) return end;
  const place = { executionId: end.id, sequence: at.sequence, field: 'output' } as const;
  return { ...end, output: LongValue.storedAt(place, at.size) };
}
