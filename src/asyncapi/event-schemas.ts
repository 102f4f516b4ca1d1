import type { EventType } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';

const TEXT: JsonObject = { type: 'string' };
const TEXT_OR_NULL: JsonObject = { type: ['string', 'null'] };
const INSTANT: JsonObject = { type: 'string', format: 'date-time' };
const INSTANT_OR_NULL: JsonObject = { type: ['string', 'null'], format: 'date-time' };
const UUID: JsonObject = { type: 'string', format: 'uuid' };
const UUID_OR_NULL: JsonObject = { type: ['string', 'null'], format: 'uuid' };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };
const MILLISECONDS: JsonObject = { type: 'integer', minimum: 0, description: 'Milliseconds.' };
const URL: JsonObject = { type: 'string', format: 'uri' };
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
const TRIGGER = object({ type: TEXT, id: TEXT_OR_NULL }, { user_id: UUID });
const APPROVERS = object(
  {},
  {
    users: { type: 'array', items: TEXT },
    roles: { type: 'array', items: TEXT },
    signed_in: { const: true },
    exclude_starter: { type: 'boolean' },
  },
);
/** JSON Schema of an error. `code` always equals `type`. */
const ERROR = object({ type: TEXT, code: TEXT, message: TEXT, node_id: TEXT_OR_NULL }, { details: ANY });
/** JSON Schema of a child execution's error, as the events of the parent record it. */
const CHILD_ERROR = object({ type: TEXT, message: TEXT, node_id: TEXT_OR_NULL }, { details: ANY });
const RESUMPTION: JsonObject = {
  oneOf: [
    object({
      kind: { const: 'timer' },
      at: { type: 'integer', description: 'Time at which the node resumed, in Unix milliseconds.' },
    }),
    object({ kind: { const: 'signal' }, name: TEXT, payload: ANY }),
    object({
      kind: { const: 'child' },
      id: UUID,
      status: status('completed', 'failed', 'cancelled', 'timed_out'),
      output: ANY,
      error: { oneOf: [{ type: 'null' }, CHILD_ERROR] },
    }),
  ],
};

/**
 * Returns the schemas for a field that may contain a long value. If the value is long, the event contains
 * `<field>_truncated`, `<field>_url` and `<field>_bytes` instead of the field.
 */
function long(field: 'input' | 'output' | 'resumption', schema = ANY): JsonObject {
  return {
    [field]: schema,
    [`${field}_truncated`]: { const: true },
    [`${field}_url`]: { type: 'string', format: 'uri-reference' },
    [`${field}_bytes`]: { ...COUNT, description: 'Length in bytes of the JSON value that the event omits.' },
  };
}

const NODE = { node_id: TEXT, node_type: TEXT };

/** Schemas of the fields that only events of nodes in the body of a loop contain. */
const ITERATION = {
  iteration: { ...COUNT, description: 'Index of the loop item for which the node runs, from 0.' },
  iteration_of: { ...TEXT, description: 'Id of the `foreach` node whose loop runs this node.' },
};

function nodeObject(required: JsonObject, optional: JsonObject = {}): JsonObject {
  return object({ ...NODE, ...required }, { ...ITERATION, ...optional });
}

/** JSON Schemas of the event field `data`, by event type. A test validates recorded events with these schemas. */
export const EVENT_DATA_SCHEMAS: Readonly<Record<EventType, JsonObject>> = {
  'workflow.queued': object(
    {
      status: status('queued'),
      workflow_version: COUNT,
      trigger: TRIGGER,
      attempt: COUNT,
      metadata: { type: 'object' },
    },
    { ...long('input'), scheduled_for: INSTANT, retry_of: UUID },
  ),
  'workflow.started': object(
    { status: status('running'), workflow_version: COUNT, timeout_at: INSTANT, progress: PROGRESS },
    {
      timeout_counts: {
        ...status('active'),
        description:
          'Present if the timeout counts only active time, without long waits and pauses. A long wait or a pause moves `timeout_at` to a later time.',
      },
      deadline_at: {
        ...INSTANT,
        description: 'The latest time at which the execution may end, including waits.',
      },
    },
  ),
  'workflow.waiting': object({ status: status('waiting'), wake_at: INSTANT_OR_NULL, node_ids: NODE_IDS }),
  'workflow.paused': object({ status: status('paused'), reason: TEXT_OR_NULL }),
  'workflow.resumed': object({
    status: status('running', 'queued'),
    reason: status('timer', 'signal', 'child', 'request'),
  }),
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
    error: ERROR,
    duration_ms: MILLISECONDS,
    progress: PROGRESS,
  }),
  'workflow.cancelled': object({
    status: status('cancelled'),
    reason: TEXT_OR_NULL,
    duration_ms: MILLISECONDS,
    progress: PROGRESS,
  }),
  'workflow.node.started': nodeObject(
    { status: status('running') },
    {
      ...long('input'),
      iterations: {
        ...COUNT,
        description: 'Number of items in the list of a `foreach` node. Other nodes do not have this field.',
      },
      ...long('resumption', RESUMPTION),
    },
  ),
  'workflow.node.complete': nodeObject(
    {
      status: status('completed'),
      duration_ms: MILLISECONDS,
      cached: { type: 'boolean' },
      progress: PROGRESS,
    },
    { ...long('output'), logs: { type: 'array', items: TEXT }, reused_from: UUID },
  ),
  'workflow.node.failed': nodeObject({
    status: status('failed'),
    error: ERROR,
    duration_ms: MILLISECONDS,
    continued: {
      type: 'boolean',
      description:
        'True if the execution continues after this failure, because the node sets `on_error: continue`.',
    },
    progress: PROGRESS,
  }),
  'workflow.node.retrying': nodeObject({
    status: status('retrying'),
    error: ERROR,
    duration_ms: MILLISECONDS,
    retry_at: INSTANT,
    delay_ms: MILLISECONDS,
    max_attempts: COUNT,
  }),
  'workflow.node.skipped': nodeObject({
    status: status('skipped'),
    reason: status('condition_false', 'needs_skipped'),
    progress: PROGRESS,
  }),
  'workflow.node.waiting': nodeObject(
    {
      status: status('waiting'),
      waiting_for: status('timer', 'signal', 'child'),
      wake_at: INSTANT_OR_NULL,
    },
    {
      signal: TEXT,
      remind_every_seconds: {
        ...COUNT,
        description: 'Seconds between two reminders while the node waits for the signal.',
      },
      child_execution_id: UUID,
      title: TEXT,
      description: TEXT,
      approvers: APPROVERS,
      approve_url: URL,
      reject_url: URL,
    },
  ),
  'workflow.node.progress': nodeObject(
    {
      status: status('running', 'waiting'),
      fraction: { type: 'number', minimum: 0, maximum: 1 },
      message: TEXT_OR_NULL,
    },
    {
      reminder: {
        ...COUNT,
        description:
          'Number of the reminder among the reminders of this wait, from 1. Absent if a running node reports its progress.',
      },
    },
  ),
};

export function envelopeSchema(type: EventType): JsonObject {
  return object({
    id: { ...UUID, description: 'Id of the event. If the event is sent again, the id is the same.' },
    type: { const: type },
    sequence: {
      type: 'integer',
      minimum: 1,
      description: 'Number of the event within its execution, from 1 without gaps.',
    },
    cursor: {
      ...TEXT,
      description:
        'Opaque position of this event. To resume after this event, send the value as `after` or `resume_from`.',
    },
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
