import { EVENT_TYPES } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';

const TEXT: JsonObject = { type: 'string' };
const CURSOR: JsonObject = { type: 'string', description: 'Opaque position in the stream of events.' };
const UUID: JsonObject = { type: 'string', format: 'uuid' };
const NAME: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'Id of the subscription. The client chooses it.',
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
      'First message of a client, sent within 10 seconds after the connection opens. If the message contains `resume_from`, the service first sends the past events after that cursor.',
    payload: message(
      'auth',
      { token: { type: 'string', description: 'An API key.' } },
      { resume_from: CURSOR },
    ),
  },
  subscribe: {
    summary:
      'Subscribes to the events that match a filter. Before its first subscription, a client gets all events that it may read.',
    payload: message('subscribe', { id: NAME }, { filter: FILTER, after: CURSOR }),
  },
  unsubscribe: { summary: 'Ends a subscription.', payload: message('unsubscribe', { id: NAME }) },
  ping: { summary: 'Requests a pong from the service.', payload: message('ping', {}) },
};

/** Messages that the service sends over the WebSocket, except events. */
export const SERVER_MESSAGES: Readonly<
  Record<string, { readonly summary: string; readonly payload: JsonObject }>
> = {
  'auth.success': {
    summary: 'The service accepted the API key. Events follow.',
    payload: message('auth.success', {
      connection_id: UUID,
      cursor: CURSOR,
      heartbeat_interval_ms: MILLISECONDS,
    }),
  },
  subscribed: {
    summary:
      'The subscription is active. If the request contained `after`, the past events after that cursor follow.',
    payload: message('subscribed', { id: NAME, cursor: CURSOR }),
  },
  'replay.complete': {
    summary: 'The service has sent all past events. The events that follow are live.',
    payload: message('replay.complete', { id: NAME, cursor: CURSOR }),
  },
  unsubscribed: { summary: 'The subscription ended.', payload: message('unsubscribed', { id: NAME }) },
  'resume.failed': {
    summary:
      'The cursor is unknown, or events after it were deleted, so the service cannot resume. Live events follow.',
    payload: message(
      'resume.failed',
      { reason: { type: 'string', enum: ['cursor_expired', 'cursor_unknown'] }, oldest_cursor: CURSOR },
      { id: NAME },
    ),
  },
  reconnect: {
    summary: 'The service is restarting. Reconnect after `after_ms` milliseconds.',
    payload: message('reconnect', { after_ms: MILLISECONDS }),
  },
  pong: { summary: 'The response of the service to a ping.', payload: message('pong', {}) },
  error: {
    summary: 'The service reports an error. If the error is fatal, the service then closes the socket.',
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
