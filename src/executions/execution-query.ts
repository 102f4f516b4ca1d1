import { instantOf, isoTime } from '../platform/index.js';
import { type PageQuery } from '../pages/index.js';
import { ValidationError } from '../errors/index.js';
import type { ListExecutionsQuery } from './execution.dto.js';
import type { ExecutionsReader } from './executions.reader.js';

/** Whose list it is, where the path says it; that goes before the query. */
export interface ListOwner {
  readonly workflowId?: string;
  readonly sessionId?: string;
}

/**
 * What a list's query narrows it by.
 * @param path of the query in the request, for what is wrong with it
 */
export function listFilter(
  query: Omit<ListExecutionsQuery, keyof PageQuery>,
  owner: ListOwner,
  path = '',
): Parameters<ExecutionsReader['list']>[1] {
  const given = {
    projectId: query.project_id?.toLowerCase(),
    workflowId: owner.workflowId ?? query.workflow_id?.toLowerCase(),
    sessionId: owner.sessionId ?? query.session_id?.toLowerCase(),
    statuses: query.status,
    trigger: query.trigger,
    createdAfter: instant(`${path}created_after`, query.created_after),
    createdBefore: instant(`${path}created_before`, query.created_before),
    metadata: query.metadata,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/**
 * An instant as the database compares it.
 * @throws ValidationError when the text is no date-time of RFC 3339
 */
export function instant(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = instantOf(text);
  if (at === undefined)
    throw ValidationError.of(field, 'is_instant', 'must be an RFC 3339 date-time with its zone');
  return isoTime(at);
}
