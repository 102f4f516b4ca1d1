import { defined, instantOf, isoTime } from '../platform/index.js';
import { type PageQuery } from '../pages/index.js';
import { ValidationError } from '../errors/index.js';
import type { ListExecutionsQuery } from './execution.dto.js';
import type { ExecutionsReader } from './executions.reader.js';

/**
 * The workflow or session from the URL path of a list, such as `/workflows/{id}/executions`. The id in the path
 * overrides `workflow_id` or `session_id` in the query string.
 */
export interface ListOwner {
  readonly workflowId?: string;
  readonly sessionId?: string;
}

/** @param path location of the query in the request, as a prefix of field names in errors */
export function listFilter(
  query: Omit<ListExecutionsQuery, keyof PageQuery>,
  owner: ListOwner,
  path = '',
): Parameters<ExecutionsReader['list']>[1] {
  return defined({
    projectId: query.project_id?.toLowerCase(),
    workflowId: owner.workflowId ?? query.workflow_id?.toLowerCase(),
    sessionId: owner.sessionId ?? query.session_id?.toLowerCase(),
    statuses: query.status,
    trigger: query.trigger,
    retryOf: query.retry_of?.toLowerCase(),
    createdAfter: instant(`${path}created_after`, query.created_after),
    createdBefore: instant(`${path}created_before`, query.created_before),
    metadata: query.metadata,
    q: query.q,
  });
}

/**
 * Converts an RFC 3339 date-time to the format of times in the database: ISO 8601 in UTC with milliseconds.
 * @throws ValidationError if the text is not an RFC 3339 date-time
 */
export function instant(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = instantOf(text);
  if (at === undefined)
    throw ValidationError.of(field, 'is_instant', 'must be an RFC 3339 date-time with a time zone');
  return isoTime(at);
}
