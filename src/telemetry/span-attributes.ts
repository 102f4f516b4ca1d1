import type { EventDataByType } from '../execution-events/index.js';
import type { JournalScope } from '../journal/index.js';
import { quoted } from './quoted.js';

export interface Outcome {
  /**
   * Outcome of a span. For an execution: the status of the execution. For an attempt: `completed`, `failed`,
   * `retrying`, `waiting` or `aborted`.
   */
  readonly outcome: string;
  readonly error?: string | null;
  readonly isCached?: boolean;
}

export interface AttemptNames {
  readonly nodeId: string;
  readonly nodeType: string;
  /** Index of the loop's item for which the node runs. Null for a node outside of loops. */
  readonly iteration: number | null;
  readonly attempt: number;
}

const EXECUTION_ID = start('execution.id', 'string');
const EXECUTION_ATTEMPT = start('execution.attempt', 'int');
const RETRY_OF = start('execution.retry_of', 'string');
const TRIGGER = start('trigger', 'string');
const WORKFLOW_ID = start('workflow.id', 'string');
const WORKFLOW_VERSION = start('workflow.version', 'int');
const PROJECT_ID = start('project.id', 'string');
const SESSION_ID = start('session.id', 'string');
const QUEUE_MS = start('queue_ms', 'int');
const NODE_ID = start('node.id', 'string');
const NODE_TYPE = start('node.type', 'string');
const NODE_ATTEMPT = start('node.attempt', 'int');
const NODE_ITEM = start('node.item', 'int');
const CACHED = `,${start('cached', 'bool')}true}}`;
const OUTCOME = start('outcome', 'string');

// Attributes are concatenated as JSON text, because creating an object for each attribute takes several times as long.
// Only session ids and error codes may contain characters that JSON must escape.

export function executionAttributes(
  { executionId, workflowId, projectId, sessionId }: JournalScope,
  data: EventDataByType['workflow.queued'],
): string {
  const session = sessionId === null ? '' : `,${SESSION_ID}${quoted(sessionId)}}}`;
  const retry = data.retry_of === undefined ? '' : `,${RETRY_OF}"${data.retry_of}"}}`;
  return (
    `${EXECUTION_ID}"${executionId}"}},${EXECUTION_ATTEMPT}${data.attempt}}},${TRIGGER}"${data.trigger.type}"}},` +
    `${WORKFLOW_ID}"${workflowId}"}},${WORKFLOW_VERSION}${data.workflow_version}}},${PROJECT_ID}"${projectId}"}}` +
    session +
    retry
  );
}

/** @param ms milliseconds from the start of the execution to the start of its first attempt */
export function queueAttribute(ms: number): string {
  return `,${QUEUE_MS}${ms}}}`;
}

export function attemptAttributes(
  executionId: string,
  { nodeId, nodeType, iteration, attempt }: AttemptNames,
  outcome: Outcome,
): string {
  const item = iteration === null ? '' : `,${NODE_ITEM}${iteration}}}`;
  return (
    `${EXECUTION_ID}"${executionId}"}},${NODE_ID}"${nodeId}"}},${NODE_TYPE}"${nodeType}"}},` +
    `${NODE_ATTEMPT}${attempt}}}${item}${outcomeAttributes(outcome)}`
  );
}

export function outcomeAttributes({ outcome, error = null, isCached = false }: Outcome): string {
  const failure = error === null ? '' : `,{"key":"error.type","value":{"stringValue":${quoted(error)}}}`;
  return `,${OUTCOME}"${outcome}"}}${isCached ? CACHED : ''}${failure}`;
}

/** Returns the start of an attribute in the JSON format of OTLP. The caller appends the value and `}}`. */
function start(name: string, type: 'string' | 'int' | 'bool'): string {
  return `{"key":"workflow_service.${name}","value":{"${type}Value":`;
}
