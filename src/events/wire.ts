import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../execution-events/index.js';
import { type Cursor, decodeCursor } from '../journal/index.js';
import { isId } from '../platform/index.js';
import { type FaultDetails, SocketFault, type SocketFaultCode } from './socket-fault.js';

/** A validated message from a client of `/ws`. */
export type ClientMessage =
  | { readonly type: 'auth'; readonly token: string | undefined; readonly resumeFrom: Cursor | undefined }
  | {
      readonly type: 'subscribe';
      readonly id: string;
      readonly filter: EventFilter;
      readonly after: Cursor | undefined;
    }
  | { readonly type: 'unsubscribe'; readonly id: string }
  | { readonly type: 'ping' };

/** Filter of a subscription. Events must match all fields that are present. */
export interface EventFilter {
  readonly executionId?: string;
  readonly workflowId?: string;
  readonly sessionId?: string;
  readonly types?: ReadonlySet<EventType>;
}

/** Messages from the service to a client of `/ws`, except events. */
export type ServerMessage =
  | {
      readonly type: 'auth.success';
      readonly connection_id: string;
      readonly cursor: string;
      readonly heartbeat_interval_ms: number;
    }
  | { readonly type: 'subscribed' | 'replay.complete'; readonly id: string; readonly cursor: string }
  | { readonly type: 'unsubscribed'; readonly id: string }
  | {
      readonly type: 'resume.failed';
      /**
       * Id of the subscription whose cursor cannot be used; absent if the cursor was `resume_from` in an `auth`
       * message.
       */
      readonly id?: string;
      /**
       * `cursor_expired` means that the cursor is older than the stored events. `cursor_unknown` means that the cursor
       * is newer than the newest event.
       */
      readonly reason: 'cursor_expired' | 'cursor_unknown';
      /** Cursor from which the client can read all events that are still stored. */
      readonly oldest_cursor: string;
    }
  | { readonly type: 'pong' }
  | { readonly type: 'reconnect'; readonly after_ms: number }
  | {
      readonly type: 'error';
      readonly error: {
        readonly type: string;
        readonly message: string;
        readonly details?: FaultDetails;
        readonly code: SocketFaultCode;
      };
    };

/** Maximum length of a token in an `auth` message, in characters. */
const MAX_TOKEN = 4096;
/** Maximum length of a subscription id, in characters. */
const MAX_SUBSCRIPTION_ID = 64;
/**
 * Maximum length of a field name in an error message, in characters. Clients may send unknown fields with long names.
 */
const MAX_NAMED = 64;

const id = z.string().refine(isId, 'must be a UUID');
const cursor = z.string();
const subscriptionId = z
  .string()
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
  .max(MAX_SUBSCRIPTION_ID);

const filter = z.strictObject({
  execution_id: id.optional(),
  workflow_id: id.optional(),
  session_id: id.optional(),
  types: z
    .array(z.enum(EVENT_TYPES as readonly [EventType, ...EventType[]]))
    .min(1)
    .max(EVENT_TYPES.length)
    .optional(),
});

const messages = {
  auth: z.strictObject({
    type: z.literal('auth'),
    token: z.string().max(MAX_TOKEN).optional(),
    resume_from: cursor.optional(),
  }),
  subscribe: z.strictObject({
    type: z.literal('subscribe'),
    id: subscriptionId,
    filter: filter.default({}),
    after: cursor.optional(),
  }),
  unsubscribe: z.strictObject({ type: z.literal('unsubscribe'), id: subscriptionId }),
  ping: z.strictObject({ type: z.literal('ping') }),
};

/** A client message that is a JSON object with a `type`. Its other fields are not validated yet. */
export interface RawMessage {
  readonly type: string;
}

/**
 * Parses the JSON text of a client message, without validating its fields.
 * @throws SocketFault if the text is not a JSON object with a `type`.
 */
export function readJson(text: string): RawMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SocketFault('malformed_message');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SocketFault('malformed_message');
  if (!('type' in value) || typeof value.type !== 'string') throw new SocketFault('malformed_message');
  return value as RawMessage;
}

/**
 * Validates the fields of a client message.
 * @throws SocketFault if the type is unknown, a field is invalid (the error names the first one), or a cursor is
 * malformed.
 */
export function readMessage(raw: RawMessage): ClientMessage {
  switch (raw.type) {
    case 'auth': {
      const { token, resume_from } = checked(messages.auth, raw);
      return { type: 'auth', token, resumeFrom: readCursor(resume_from) };
    }
    case 'subscribe': {
      const message = checked(messages.subscribe, raw);
      const { execution_id, workflow_id, session_id, types } = message.filter;
      return {
        type: 'subscribe',
        id: message.id,
        filter: {
          ...(execution_id !== undefined && { executionId: execution_id.toLowerCase() }),
          ...(workflow_id !== undefined && { workflowId: workflow_id.toLowerCase() }),
          ...(session_id !== undefined && { sessionId: session_id.toLowerCase() }),
          ...(types !== undefined && { types: new Set(types) }),
        },
        after: readCursor(message.after),
      };
    }
    case 'unsubscribe':
      return { type: 'unsubscribe', id: checked(messages.unsubscribe, raw).id };
    case 'ping':
      checked(messages.ping, raw);
      return { type: 'ping' };
    default:
      throw new SocketFault('unknown_message_type', {
        field: 'type',
        reason: `must be one of ${Object.keys(messages).join(', ')}`,
      });
  }
}

/**
 * Validates the fields of the first message of a client.
 * @throws SocketFault that always closes the socket, because an unauthenticated client may not send a second message
 */
export function readFirstMessage(raw: RawMessage): ClientMessage {
  try {
    return readMessage(raw);
  } catch (error) {
    if (!(error instanceof SocketFault) || error.closeCode !== null) throw error;
    throw new SocketFault(error.code, error.details, 4400);
  }
}

export function errorMessage({ type, message, details, code }: SocketFault): ServerMessage {
  return { type: 'error', error: { type, message, ...(details !== undefined && { details }), code } };
}

function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const decoded = decodeCursor(text);
  if (decoded === undefined) throw new SocketFault('malformed_cursor');
  return decoded;
}

function checked<Schema extends z.ZodType>(schema: Schema, raw: RawMessage): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys')
    throw invalid([...issue.path, issue.keys[0]?.slice(0, MAX_NAMED) ?? ''], 'is not a known field');
  throw invalid(issue?.path ?? [], issue?.message ?? 'is not valid');
}

function invalid(path: readonly PropertyKey[], reason: string): SocketFault {
  const field = path.map((part, index) =>
    typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
  );
  return new SocketFault('invalid_message', { field: field.join(''), reason });
}
