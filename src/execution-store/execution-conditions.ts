import type { ExecutionStatus, TriggerType } from '../execution-events/index.js';
import { type Dialect, marksOf } from '../storage/index.js';
import { firstIdAt } from '../platform/index.js';

/** Filter for a list of executions. Times are in ISO 8601 and UTC. */
export interface ExecutionFilter {
  readonly projectIds: readonly string[];
  readonly statuses?: readonly ExecutionStatus[];
  readonly workflowId?: string;
  readonly sessionId?: string;
  readonly trigger?: TriggerType;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Required values of top-level fields of the metadata, by field name. Values are compared as text. */
  readonly metadata?: ReadonlyMap<string, string>;
  readonly ids?: readonly string[];
  readonly retryOf?: string;
  readonly isNotRetried?: boolean;
}

/** An SQL condition on rows of executions, which have the alias `e`. Parameters are marked by `?`. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Maximum difference in milliseconds between the time in an execution's id and its `created_at`. */
const ID_SLACK_MS = 60_000;

/**
 * Returns the SQL conditions of a filter.
 *
 * @param of table to filter: `executions`, or `totals` with the stored counts
 * @param past SQL expression for an id; only executions with greater ids match
 */
export function conditionsOf(
  filter: ExecutionFilter,
  dialect: Dialect,
  of: 'executions' | 'totals' = 'executions',
  past?: string,
): Condition {
  const parts: Condition[] = [amongst(projectColumn(filter, dialect, of), filter.projectIds)];
  const { statuses, workflowId, sessionId, trigger, retryOf, createdAfter, createdBefore, metadata, ids } =
    filter;
  if (statuses !== undefined) parts.push(amongst('e.status', statuses));
  if (workflowId !== undefined) parts.push(amongst('e.workflow_id', [workflowId]));
  if (sessionId !== undefined) parts.push(amongst('e.session_id', [sessionId]));
  if (retryOf !== undefined) parts.push(amongst('e.retry_of', [retryOf]));
  if (trigger !== undefined) parts.push(amongst('e.trigger_type', [trigger]));
  // Ids start with the time of creation, and each index contains the id. A condition on the id therefore limits the
  // index scan.
  if (createdAfter === undefined) {
    if (past !== undefined) parts.push({ sql: `e.id > ${past}`, parameters: [] });
  } else {
    const at = Date.parse(createdAfter);
    // Combines both lower bounds of the id into one. With two bounds, SQLite could start its scan at the smaller one.
    const first = past === undefined ? '?' : `${MAX_FUNCTION[dialect]}(${past}, ?)`;
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

/**
 * Returns the SQL of the project column. A plus sign before the column stops SQLite from using the index by project
 * when another index is better.
 */
function projectColumn(
  { workflowId, sessionId, retryOf }: ExecutionFilter,
  dialect: Dialect,
  of: 'executions' | 'totals',
): string {
  const isNarrow = workflowId !== undefined || sessionId !== undefined || retryOf !== undefined;
  return isNarrow && dialect === 'sqlite' && of === 'executions' ? '+e.project_id' : 'e.project_id';
}

/** Returns true if a query with this filter may scan very many rows, because no index covers some of its conditions. */
export function takesLong(filter: ExecutionFilter): boolean {
  const { statuses, workflowId, sessionId, trigger, retryOf, metadata, ids, isNotRetried } = filter;
  if (ids !== undefined || retryOf !== undefined) return false;
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

const MAX_FUNCTION: Readonly<Record<Dialect, string>> = { postgres: 'greatest', sqlite: 'max' };

const NOT_RETRIED = 'NOT EXISTS (SELECT 1 FROM executions AS r WHERE r.retry_of = e.id)';

/**
 * SQL that returns a metadata value in the form of PostgreSQL's `->>`: text without quotes, SQL NULL for null, else
 * JSON text.
 */
const METADATA_TEXT =
  "CASE m.type WHEN 'text' THEN m.value WHEN 'null' THEN NULL ELSE e.metadata -> m.fullkey END";

const METADATA: Readonly<Record<Dialect, string>> = {
  postgres: 'e.metadata ->> ? = ?',
  // SQLite's operator `->>` would interpret a key that begins with `$` as a path, so the query uses `json_each`.
  sqlite: `EXISTS (SELECT 1 FROM json_each(e.metadata) AS m WHERE m.key = ? AND ${METADATA_TEXT} = ?)`,
};
