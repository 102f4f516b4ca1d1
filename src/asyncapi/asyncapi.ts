import { EVENT_TYPES } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';
import { envelopeSchema } from './event-schemas.js';
import { TEST_EVENT, TEST_EVENT_SCHEMA, WEBHOOK_HEADERS, WEBHOOKS } from './webhook-schemas.js';
import { CLIENT_MESSAGES, SERVER_MESSAGES } from './socket-schemas.js';

const CLOSE_CODES =
  `Close codes, each after an error message: 4400 malformed message or invalid first message, 4401 not authenticated or
no longer valid, 4403 address or scope, 4408 no auth message in time, 4409 second auth message or duplicate subscription id,
4429 too many messages or a client that reads too slowly, 4500 internal error; 1012 restart, 1009 message over 64 KiB.`.replaceAll(
    '\n',
    ' ',
  );

export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: JsonObject;
  readonly defaultContentType: string;
  readonly servers: JsonObject;
  readonly channels: JsonObject;
  readonly operations: JsonObject;
}

/**
 * Returns the AsyncAPI document, which describes the messages of the WebSocket and of webhooks.
 * @param origin URL at which clients reach the service, such as `https://workflows.example.com`
 */
export function asyncApiDocument(origin: string, version: string): AsyncApiDocument {
  const { protocol, host, pathname } = new URL(origin);
  const basePath = pathname.replace(/\/+$/, '');
  const messages: Record<string, JsonObject> = {};
  const refs = (names: readonly string[]): readonly JsonObject[] =>
    names.map((name) => ({ $ref: `#/channels/events/messages/${name}` }));
  for (const [name, { summary, payload }] of Object.entries({ ...CLIENT_MESSAGES, ...SERVER_MESSAGES }))
    messages[name] = { name, summary, payload };
  for (const type of EVENT_TYPES)
    messages[type] = {
      name: type,
      summary: `The event ${type}, as the WebSocket sends it.`,
      payload: envelopeSchema(type),
    };
  const webhookMessages: Record<string, JsonObject> = {};
  for (const [type, payload] of [
    ...EVENT_TYPES.map((event) => [event, envelopeSchema(event)] as const),
    [TEST_EVENT, TEST_EVENT_SCHEMA] as const,
  ])
    webhookMessages[type] = {
      name: type,
      summary: `The event ${type}, as the service sends it to a webhook.`,
      headers: WEBHOOK_HEADERS,
      payload,
    };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Workflow Service events',
      version,
      description: `The service sends an event for every step of every execution, live. Events are delivered at least once. If an event is sent again, its id is the same. Events of one execution arrive in order. ${CLOSE_CODES}`,
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        ...(basePath !== '' && { pathname: basePath }),
      },
    },
    channels: {
      events: { address: '/ws', messages },
      webhooks: {
        address: null,
        description: WEBHOOKS,
        messages: webhookMessages,
      },
    },
    operations: {
      say: {
        action: 'receive',
        channel: { $ref: '#/channels/events' },
        messages: refs(Object.keys(CLIENT_MESSAGES)),
      },
      hear: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        messages: refs([...Object.keys(SERVER_MESSAGES), ...EVENT_TYPES]),
      },
      deliver: {
        action: 'send',
        channel: { $ref: '#/channels/webhooks' },
        messages: Object.keys(webhookMessages).map((name) => ({
          $ref: `#/channels/webhooks/messages/${name}`,
        })),
      },
    },
  };
}
