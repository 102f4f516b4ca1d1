import type { Attributes } from '@opentelemetry/api';
import type { JournalScope } from '../journal/index.js';
import type { EventDataByType } from '../execution-events/index.js';

const PREFIX = 'workflow_service.';

/** How a span ended. */
export interface Outcome {
  /** Of an execution its status, of an attempt `completed`, `failed`, `retrying`, `waiting` or `aborted`. */
  readonly outcome: string;
  /** Code of the error where it failed. */
  readonly error?: string | null;
  /** Whether the output came from the cache. */
  readonly isCached?: boolean;
}

/** Attributes that the spans of one execution share. */
export function executionAttributes(
  { executionId, workflowId, projectId, sessionId }: JournalScope,
  data: EventDataByType['workflow.queued'],
): Attributes {
  return {
    [`${PREFIX}execution.id`]: executionId,
    [`${PREFIX}execution.attempt`]: data.attempt,
    [`${PREFIX}trigger`]: data.trigger.type,
    [`${PREFIX}workflow.id`]: workflowId,
    [`${PREFIX}workflow.version`]: data.workflow_version,
    [`${PREFIX}project.id`]: projectId,
    ...(sessionId === null ? {} : { [`${PREFIX}session.id`]: sessionId }),
    ...(data.retry_of === undefined ? {} : { [`${PREFIX}execution.retry_of`]: data.retry_of }),
  };
}

/** @param ms from the start of the execution to the start of its first attempt */
export function queueAttribute(ms: number): Attributes {
  return { [`${PREFIX}queue_ms`]: ms };
}

export function attemptAttributes(
  executionId: string,
  nodeId: string,
  nodeType: string,
  iteration: number | null,
  attempt: number,
): Attributes {
  return {
    [`${PREFIX}execution.id`]: executionId,
    [`${PREFIX}node.id`]: nodeId,
    [`${PREFIX}node.type`]: nodeType,
    [`${PREFIX}node.attempt`]: attempt,
    ...(iteration === null ? {} : { [`${PREFIX}node.item`]: iteration }),
  };
}

export function outcomeAttributes({ outcome, isCached = false }: Outcome): Attributes {
  return { [`${PREFIX}outcome`]: outcome, ...(isCached ? { [`${PREFIX}cached`]: true } : {}) };
}
