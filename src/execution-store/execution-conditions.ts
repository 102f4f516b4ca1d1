import type { ExecutionStatus, TriggerType } from '../execution-events/index.js';
import { type Dialect, marksOf } from '../storage/index.js';
import { firstIdAt } from '../platform/index.js';

/** What a list of executions is narrowed by. Times are ISO 8601 in UTC. */
export interface ExecutionFilter {
  readonly projectIds: readonly string[];
  readonly statuses?: readonly ExecutionStatus[];
  readonly workflowId?: string;
  readonly sessionId?: string;
  readonly trigger?: TriggerType;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Top-level metadata that must be equal, as text. */
  readonly metadata?: ReadonlyMap<string, string>;
  readonly ids?: readonly string[];
  /** Only those that no other execution repeats. */
  readonly isNotRetried?: boolean;
}

/** A condition on rows `e` of executions, its parameters marked by `?`. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** An execution's id is made within this time of its `created_at`. */
const ID_SLACK_MS = 60_000;

/**
 * A filter as SQL.
 * @param of the table whose rows `e` are; a filter of the totals names nothing that they do not have
 * @param past SQL of an id: executions up to it are left out
 */
export function conditionsOf(
  filter: ExecutionFilter,
  dialect: Dialect,
  of: 'executions' | 'totals' = 'executions',
  past?: string,
): Condition {
  const parts: Condition[] = [amongst(projectColumn(filter, dialect, of), filter.projectIds)];
  const { statuses, workflowId, sessionId, trigger, createdAfter, createdBefore, metadata, ids } = filter;
  if (statuses !== undefined) parts.push(amongst('e.status', statuses));
  if (workflowId !== undefined) parts.push(amongst('e.workflow_id', [workflowId]));
  if (sessionId !== undefined) parts.push(amongst('e.session_id', [sessionId]));
  if (trigger !== undefined) parts.push(amongst('e.trigger_type', [trigger]));
  // The id is in the indexes; it decides about all but the edges of the range without a look at the rows.
  if (createdAfter === undefined) {
    if (past !== undefined) parts.push({ sql: `e.id > ${past}`, parameters: [] });
  } else {
    const at = Date.parse(createdAfter);
    // As one bound: of two SQLite would begin at either, however far that is before the other.
    const first = past === undefined ? '?' : `${LATER[dialect]}(${past}, ?)`;
    parts.push(compared(`e.id > ${first}`, firstIdAt(at - ID_SLACK_MS)), {
      sql: '(e.id > ? OR e.created_at > ?)',
      parameters: [firstIdAt(at + ID_SLACK_MS + 1), createdAfter],
    });
  }
  if (createdBefore !== undefined) {
    const at = Date.parse(createdBefore);
    parts.push(compared('e.id < ?', firstIdAt(at + ID_SLACK_MS)), {
      sql: '(e.id < ? OR e.created_at < ?)',
      parameters: [firstIdAt(at - ID_SLACK_MS), createdBefore],
    });
  }
  if (ids !== undefined) parts.push(amongst('e.id', ids));
  if (filter.isNotRetried === true) parts.push({ sql: NOT_RETRIED, parameters: [] });
  for (const [key, value] of metadata ?? []) parts.push({ sql: METADATA[dialect], parameters: [key, value] });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** The plus keeps SQLite from its index by project where there is a narrower one, in the order of ids. */
function projectColumn(
  { workflowId, sessionId }: ExecutionFilter,
  dialect: Dialect,
  of: 'executions' | 'totals',
): string {
  const isNarrow = workflowId !== undefined || sessionId !== undefined;
  return isNarrow && dialect === 'sqlite' && of === 'executions' ? '+e.project_id' : 'e.project_id';
}

/**
 * Whether it narrows a list by what no index tells apart: a few that meet it are found among a million by looking at
 * each of them.
 */
export function takesLong(filter: ExecutionFilter): boolean {
  const { statuses, workflowId, sessionId, trigger, metadata, ids, isNotRetried } = filter;
  if (ids !== undefined) return false;
  const isNarrow = workflowId !== undefined || sessionId !== undefined;
  return (
    isNotRetried === true ||
    (metadata !== undefined && metadata.size > 0) ||
    trigger !== undefined ||
    (isNarrow && statuses !== undefined)
  );
}

function amongst(column: string, values: readonly unknown[]): Condition {
  return { sql: `${column} IN (${marksOf(values)})`, parameters: values };
}

function compared(sql: string, value: unknown): Condition {
  return { sql, parameters: [value] };
}

const LATER: Readonly<Record<Dialect, string>> = { postgres: 'greatest', sqlite: 'max' };

const NOT_RETRIED = 'NOT EXISTS (SELECT 1 FROM executions AS r WHERE r.retry_of = e.id)';

/** A value as PostgreSQL's `->>` gives it: texts without quotes, null as nothing, the rest as it is written. */
const METADATA_TEXT =
  "CASE m.type WHEN 'text' THEN m.value WHEN 'null' THEN NULL ELSE e.metadata -> m.fullkey END";

const METADATA: Readonly<Record<Dialect, string>> = {
  postgres: 'e.metadata ->> ? = ?',
  // Not `->>`: it would read a key that begins with `$` as a path. Values are compared as text on both databases.
  sqlite: `EXISTS (SELECT 1 FROM json_each(e.metadata) AS m WHERE m.key = ? AND ${METADATA_TEXT} = ?)`,
};
