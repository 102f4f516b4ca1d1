import { decodeCursor, isoTime } from '../platform/index.js';
import type { ListExecutionsQuery } from './execution.dto.js';
import type { ExecutionPage } from './execution-list.repository.js';
import type { ExecutionsReader } from './executions.reader.js';

/** Whose list it is, where the path says it; that goes before the query. */
export interface ListOwner {
  readonly workflowId?: string;
  readonly sessionId?: string;
}

/** What a list's query narrows it by. */
export function listFilter(query: ListExecutionsQuery, owner: ListOwner): Parameters<ExecutionsReader['list']>[1] {
  const given = {
    projectId: query.project_id,
    workflowId: owner.workflowId ?? query.workflow_id,
    sessionId: owner.sessionId ?? query.session_id,
    statuses: query.status,
    trigger: query.trigger,
    createdAfter: instant(query.created_after),
    createdBefore: instant(query.created_before),
    metadata: query.metadata,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Where a list's page begins; one row more is read than is shown, which tells whether there is a next page. */
export function listPlace({ limit, offset, order, cursor }: ListExecutionsQuery): ExecutionPage {
  const place = { limit: limit + 1, offset, order };
  return cursor === undefined ? place : { ...place, after: String(decodeCursor(cursor, ['string'])[0]) };
}

function instant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : isoTime(Date.parse(text));
}
