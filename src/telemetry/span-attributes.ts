import type { Attributes } from '@opentelemetry/api';
import type { JournalScope } from '../journal/index.js';
import type { EventDataByType } from '../execution-events/index.js';

export interface Outcome {
  /** The status of an execution, or `completed`, `failed`, `retrying`, `waiting` or `aborted` for an attempt. */
  readonly outcome: string;
  readonly error?: string | null;
  readonly isCached?: boolean;
}

export interface AttemptNames {
  readonly nodeId: string;
  readonly nodeType: string;
  /** Index of the loop item. Null outside of loops. */
  readonly iteration: number | null;
  readonly attempt: number;
}

const CACHED: Attributes = { 'workflow_service.cached': true };

export function executionAttributes(
  { executionId, workflowId, projectId, sessionId }: JournalScope,
  data: EventDataByType['workflow.queued'],
): Attributes {
  return {
    'workflow_service.execution.id': executionId,
    'workflow_service.execution.attempt': data.attempt,
    'workflow_service.trigger': data.trigger.type,
    'workflow_service.workflow.id': workflowId,
    'workflow_service.workflow.version': data.workflow_version,
    'workflow_service.project.id': projectId,
    ...(sessionId === null ? {} : { 'workflow_service.session.id': sessionId }),
    ...(data.retry_of === undefined ? {} : { 'workflow_service.execution.retry_of': data.retry_of }),
  };
}

/** @param ms milliseconds from the start of the execution to the start of its first attempt */
export function queueAttribute(ms: number): Attributes {
  return { 'workflow_service.queue_ms': ms };
}

export function attemptAttributes(
  executionId: string,
  { nodeId, nodeType, iteration, attempt }: AttemptNames,
  outcome: Outcome,
): Attributes {
  const attributes = {
    'workflow_service.execution.id': executionId,
    'workflow_service.node.id': nodeId,
    'workflow_service.node.type': nodeType,
    'workflow_service.node.attempt': attempt,
    'workflow_service.outcome': outcome.outcome,
  };
  const item = iteration === null ? attributes : { ...attributes, 'workflow_service.node.item': iteration };
  return outcome.isCached === true ? { ...item, ...CACHED } : item;
}

export function outcomeAttributes({ outcome, isCached = false }: Outcome): Attributes {
  const attributes = { 'workflow_service.outcome': outcome };
  return isCached ? { ...attributes, ...CACHED } : attributes;
}
