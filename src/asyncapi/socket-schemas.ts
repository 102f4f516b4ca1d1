import { EVENT_TYPES } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';

const TEXT: JsonObject = { type: 'string' };
const CURSOR: JsonObject = { type: 'string', description: 'Opaque position in the stream.' };
const UUID: JsonObject = { type: 'string', format: 'uuid' };
const NAME: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'Id chosen by the client.',
};
const MILLISECONDS: JsonObject = { type: 'integer', minimum: 0 };

function message(type: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    required: ['type', ...Object.keys(required)],
    properties: { type: { const: type }, ...required, ...optional },
    additionalProperties: false,
  };
}

const FILTER: JsonObject = {
  type: 'object',
  properties: {
    execution_id: UUID,
    workflow_id: UUID,
    session_id: UUID,
    types: { type: 'array', minItems: 1, items: { type: 'string', enum: EVENT_TYPES } },
  },
  additionalProperties: false,
};

export const CLIENT_MESSAGES: Readonly<
  Record<string, { readonly summary: string; readonly payload: JsonObject }>
> = {
  auth: {
    summary:
      'The first message of a client. Send it within 10 seconds. With resume_from, events after its cursor come first.',
    payload: message(
      'auth',
      { token: { type: 'string', description: 'An API key.' } },
      { resume_from: CURSOR },
    ),
  },
  subscribe: {
    summary:
      'Subscribe to the events that match a filter. Before its first subscription, a client gets all events it may read.',
    payload: message('subscribe', { id: NAME }, { filter: FILTER, after: CURSOR }),
  },
  unsubscribe: { summary: 'End a subscription.', payload: message('unsubscribe', { id: NAME }) },
  ping: { summary: 'Request a pong.', payload: message('ping', {}) },
};

/** Messages that the service sends over the WebSocket, except events. */
export const SERVER_MESSAGES: Readonly<
  Record<string, { readonly summary: string; readonly payload: JsonObject }>
> = {
  'auth.success': {
    summary: 'The key was accepted; events follow.',
    payload: message('auth.success', {
      connection_id: UUID,
      cursor: CURSOR,
      heartbeat_interval_ms: MILLISECONDS,
    }),
  },
  subscribed: {
    summary: 'The subscription is active. With `after`, past events follow.',
    payload: message('subscribed', { id: NAME, cursor: CURSOR }),
  },
  'replay.complete': {
    summary: 'The replay is complete; later events are live.',
    payload: message('replay.complete', { id: NAME, cursor: CURSOR }),
  },
  unsubscribed: { summary: 'The subscription ended.', payload: message('unsubscribed', { id: NAME }) },
  'resume.failed': {
    summary: 'Events after the cursor have been deleted. The stream continues live.',
    payload: message(
      'resume.failed',
      { reason: { type: 'string', enum: ['cursor_expired', 'cursor_unknown'] }, oldest_cursor: CURSOR },
      { id: NAME },
    ),
  },
  reconnect: {
    summary: 'The service is restarting. Reconnect after the given time.',
    payload: message('reconnect', { after_ms: MILLISECONDS }),
  },
  pong: { summary: 'The response to a ping.', payload: message('pong', {}) },
  error: {
    summary: 'An error. The socket closes afterwards if the error is fatal.',
    payload: message('error', {
      error: {
        type: 'object',
        required: ['type', 'message', 'code'],
        properties: { type: TEXT, message: TEXT, code: TEXT, details: { type: 'object' } },
        additionalProperties: false,
      },
    }),
  },
};
