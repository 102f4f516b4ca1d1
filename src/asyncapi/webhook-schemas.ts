import type { JsonObject } from '../expressions/index.js';

/** Type of the event that `POST /v1/webhooks/{id}/test` sends. */
export const TEST_EVENT = 'webhook.test';

export const WEBHOOKS =
  'HTTP POST requests to the URL of each webhook, signed as Standard Webhooks describes. A webhook with the format cloudevents gets the envelope as the data of a CloudEvents 1.0 event in structured mode.';

/** JSON Schema of the HTTP headers of webhook requests. The Standard Webhooks specification defines these headers. */
export const WEBHOOK_HEADERS: JsonObject = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': {
      type: 'string',
      format: 'uuid',
      description: 'Id of the event. If the service sends an event again, the id is the same.',
    },
    'webhook-timestamp': {
      type: 'string',
      description: 'Time at which the service sent this request, in Unix seconds.',
    },
    'webhook-signature': {
      type: 'string',
      description:
        'Signature of the request: `v1,` and the HMAC-SHA256, in base64, of the id, the timestamp and the body, joined by dots. While two secrets are valid after a rotation, the header contains two signatures, separated by a space.',
    },
  },
};

const NULL: JsonObject = { type: 'null' };

/** JSON Schema of a test event. A test event belongs to no execution, so the ids of execution and workflow are null. */
export const TEST_EVENT_SCHEMA: JsonObject = {
  type: 'object',
  required: ['id', 'type', 'sequence', 'created_at', 'project_id', 'data'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    type: { const: TEST_EVENT },
    sequence: { const: 0 },
    cursor: NULL,
    created_at: { type: 'string', format: 'date-time' },
    project_id: { type: 'string', format: 'uuid' },
    workflow_id: NULL,
    execution_id: NULL,
    session_id: NULL,
    node_id: NULL,
    attempt: NULL,
    data: {
      type: 'object',
      required: ['webhook_id'],
      properties: { webhook_id: { type: 'string', format: 'uuid' } },
    },
  },
};
