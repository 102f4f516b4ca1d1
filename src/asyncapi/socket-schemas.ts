import { EVENT_TYPES } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';

const TEXT: JsonObject = { type: 'string' };
const CURSOR: JsonObject = { type: 'string', description: 'Opaque place in the stream.' };
const UUID: JsonObject = { type: 'string', format: 'uuid' };
const NAME: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'Chosen by the client.',
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

/** JSON Schema of each message that a client sends. */
export const CLIENT_MESSAGES: Readonly<
  Record<string, { readonly summary: string; readonly payload: JsonObject }>
> = {
  auth: {
    summary:
      'The first message, within 10 seconds. With resume_from everything after that cursor comes first.',
    payload: message(
      'auth',
      { token: { type: 'string', description: 'An API key.' } },
      { resume_from: CURSOR },
    ),
  },
  subscribe: {
    summary: 'Follow what a filter names; the first one takes the place of the default feed.',
    payload: message('subscribe', { id: NAME }, { filter: FILTER, after: CURSOR }),
  },
  unsubscribe: { summary: 'End a subscription.', payload: message('unsubscribe', { id: NAME }) },
  ping: { summary: 'Ask for a pong.', payload: message('ping', {}) },
};

/** JSON Schema of each message other than events that the service sends. */
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
    summary: 'The subscription stands; with `after`, the past follows.',
    payload: message('subscribed', { id: NAME, cursor: CURSOR }),
  },
  'replay.complete': {
    summary: 'The replay is complete; later events are live.',
    payload: message('replay.complete', { id: NAME, cursor: CURSOR }),
  },
  unsubscribed: { summary: 'The subscription ended.', payload: message('unsubscribed', { id: NAME }) },
  'resume.failed': {
    summary: 'The events after the cursor are no longer kept; the stream is live.',
    payload: message(
      'resume.failed',
      { reason: { type: 'string', enum: ['cursor_expired', 'cursor_unknown'] }, oldest_cursor: CURSOR },
      { id: NAME },
    ),
  },
  reconnect: {
    summary: 'The service restarts; connect again after a while.',
    payload: message('reconnect', { after_ms: MILLISECONDS }),
  },
  pong: { summary: 'The answer to a ping.', payload: message('pong', {}) },
  error: {
    summary: 'A fault; where it is worth closing, the socket closes next.',
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
