import type { ExecutionStatus } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import type { TRIGGER_TYPES } from '../execution.view.js';
import type { ExecutionListFilter } from '../executions.reader.js';
import { defined } from '../../platform/index.js';

export type BulkFilter = Omit<ExecutionListFilter, 'q'>;

/** The filter of a bulk job as stored in the database. Field names are those of the REST API. */
interface StoredFilter {
  readonly project_id?: string;
  readonly workflow_id?: string;
  readonly session_id?: string;
  readonly status?: readonly ExecutionStatus[];
  readonly retry_of?: string;
  readonly trigger?: (typeof TRIGGER_TYPES)[number];
  readonly created_after?: string;
  readonly created_before?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly ids?: readonly string[];
}

export function filterToJson(filter: BulkFilter): JsonObject {
  const fields = {
    project_id: filter.projectId,
    workflow_id: filter.workflowId,
    session_id: filter.sessionId,
    status: filter.statuses,
    trigger: filter.trigger,
    retry_of: filter.retryOf,
    created_after: filter.createdAfter,
    created_before: filter.createdBefore,
    metadata: filter.metadata === undefined ? undefined : Object.fromEntries(filter.metadata),
    ids: filter.ids,
  };
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

export function filterFromJson(stored: object): BulkFilter {
  const given: StoredFilter = stored;
  return defined({
    projectId: given.project_id,
    workflowId: given.workflow_id,
    sessionId: given.session_id,
    statuses: given.status,
    trigger: given.trigger,
    retryOf: given.retry_of,
    createdAfter: given.created_after,
    createdBefore: given.created_before,
    metadata: given.metadata === undefined ? undefined : new Map(Object.entries(given.metadata)),
    ids: given.ids,
  });
}
