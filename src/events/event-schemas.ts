import type { EventType, JsonObject } from '../engine/index.js';

const TEXT: JsonObject = { type: 'string' };
const TEXT_OR_NULL: JsonObject = { type: ['string', 'null'] };
const INSTANT: JsonObject = { type: 'string', format: 'date-time' };
const INSTANT_OR_NULL: JsonObject = { type: ['string', 'null'], format: 'date-time' };
const UUID: JsonObject = { type: 'string', format: 'uuid' };
const UUID_OR_NULL: JsonObject = { type: ['string', 'null'], format: 'uuid' };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };
const MILLISECONDS: JsonObject = { type: 'integer', minimum: 0, description: 'Milliseconds.' };
const NODE_IDS: JsonObject = { type: 'array', items: TEXT };
const ANY: JsonObject = { description: 'Any JSON.' };

function object(required: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

const status = (...values: readonly string[]): JsonObject => ({ type: 'string', enum: values });

const PROGRESS = object({ completed: COUNT, total: COUNT });
const TRIGGER = object({ type: TEXT, id: TEXT_OR_NULL });
const NODE_ERROR = object({ code: TEXT, message: TEXT }, { details: ANY });
const EXECUTION_ERROR = object({ type: TEXT, message: TEXT, node_id: TEXT_OR_NULL }, { details: ANY });
const RESUMPTION: JsonObject = {
  oneOf: [
    object({ kind: { const: 'timer' }, at: { type: 'integer', description: 'Epoch milliseconds.' } }),
    object({ kind: { const: 'signal' }, name: TEXT, payload: ANY }),
  ],
};

/** A value that stands elsewhere when it is long: then `<field>_truncated` and `<field>_url` come in its place. */
function long(field: 'input' | 'output'): JsonObject {
  return {
    [field]: ANY,
    [`${field}_truncated`]: { const: true },
    [`${field}_url`]: { type: 'string', format: 'uri-reference' },
  };
}

const NODE = { node_id: TEXT, node_type: TEXT };

/** JSON Schema of each event type's `data`; a test holds what the service sends against it. */
export const EVENT_DATA_SCHEMAS: Readonly<Record<EventType, JsonObject>> = {
  'workflow.queued': object(
    {
      status: status('queued'),
      workflow_version: COUNT,
      trigger: TRIGGER,
      attempt: COUNT,
      metadata: { type: 'object' },
    },
    long('input'),
  ),
  'workflow.started': object({
    status: status('running'),
    workflow_version: COUNT,
    timeout_at: INSTANT,
    progress: PROGRESS,
  }),
  'workflow.waiting': object({ status: status('waiting'), wake_at: INSTANT_OR_NULL, node_ids: NODE_IDS }),
  'workflow.paused': object({ status: status('paused'), reason: TEXT_OR_NULL }),
  'workflow.resumed': object({ status: status('running'), reason: status('timer', 'signal', 'request') }),
  'workflow.recovered': object({
    status: status('running'),
    cause: status('crash', 'hand_over'),
    recoveries: COUNT,
    node_ids: NODE_IDS,
  }),
  'workflow.completed': object(
    { status: status('completed'), duration_ms: MILLISECONDS, progress: PROGRESS },
    long('output'),
  ),
  'workflow.failed': object({
    status: status('failed', 'timed_out'),
    error: EXECUTION_ERROR,
    duration_ms: MILLISECONDS,
    progress: PROGRESS,
  }),
  'workflow.cancelled': object({
    status: status('cancelled'),
    reason: TEXT_OR_NULL,
    duration_ms: MILLISECONDS,
    progress: PROGRESS,
  }),
  'workflow.node.started': object(
    { ...NODE, status: status('running') },
    { ...long('input'), resumption: RESUMPTION },
  ),
  'workflow.node.complete': object(
    {
      ...NODE,
      status: status('completed'),
      duration_ms: MILLISECONDS,
      cached: { type: 'boolean' },
      progress: PROGRESS,
    },
    { ...long('output'), logs: { type: 'array', items: TEXT } },
  ),
  'workflow.node.failed': object({
    ...NODE,
    status: status('failed'),
    error: NODE_ERROR,
    duration_ms: MILLISECONDS,
    continued: { type: 'boolean', description: 'Whether `on_error: continue` lets the execution go on.' },
    progress: PROGRESS,
  }),
  'workflow.node.retrying': object({
    ...NODE,
    status: status('retrying'),
    error: NODE_ERROR,
    duration_ms: MILLISECONDS,
    retry_at: INSTANT,
    delay_ms: MILLISECONDS,
    max_attempts: COUNT,
  }),
  'workflow.node.skipped': object({
    ...NODE,
    status: status('skipped'),
    reason: status('condition_false', 'needs_skipped'),
    progress: PROGRESS,
  }),
  'workflow.node.waiting': object(
    { ...NODE, status: status('waiting'), waiting_for: status('timer', 'signal'), wake_at: INSTANT_OR_NULL },
    { signal: TEXT },
  ),
  'workflow.node.progress': object({
    ...NODE,
    status: status('running'),
    fraction: { type: 'number', minimum: 0, maximum: 1 },
    message: TEXT_OR_NULL,
  }),
};

/** JSON Schema of the envelope of one event type. */
export function envelopeSchema(type: EventType): JsonObject {
  return object({
    id: { ...UUID, description: 'An event that is delivered twice carries the same id.' },
    type: { const: type },
    sequence: { type: 'integer', minimum: 1, description: 'Per execution, from 1, without gaps.' },
    cursor: { ...TEXT, description: 'Opaque place in the stream; resume after it.' },
    created_at: INSTANT,
    project_id: UUID,
    workflow_id: UUID,
    execution_id: UUID,
    session_id: UUID_OR_NULL,
    node_id: TEXT_OR_NULL,
    attempt: { type: ['integer', 'null'], minimum: 1 },
    data: EVENT_DATA_SCHEMAS[type],
  });
}
