/** SQL that finds and claims runnable executions. `?` marks a parameter; see `ClaimsRepository`. */
import { FEW_EVENTS } from '../../journal/index.js';

export const PRIORITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] as const;

/**
 * Selects runnable executions with one index range scan per priority. A single scan would have to pass all sleeping
 * executions of a priority before it reaches the next priority.
 */
export function runnable(column: string, condition: string, limit: number): string {
  const parts = PRIORITIES.map(
    (priority) =>
      `SELECT * FROM (SELECT ${column} FROM executions WHERE priority = ${priority} AND ${condition} ORDER BY runnable_at LIMIT ${limit}) AS p${priority}`,
  );
  return parts.join(' UNION ALL ');
}

/** Maximum number of projects per query. */
export const LOOKED_UP = 32;

/**
 * For each of the next projects with due or sleeping executions: the first due execution of each priority. The query
 * needs a few lookups per project in the index `executions_turns`, however many executions the project has.
 */
export const OF_EACH_PROJECT = `WITH RECURSIVE waiting(project_id, n) AS (
  SELECT (SELECT project_id FROM executions WHERE runnable_at IS NOT NULL AND project_id > ? ORDER BY project_id LIMIT 1), 1
  UNION ALL
  SELECT (SELECT e.project_id FROM executions e WHERE e.runnable_at IS NOT NULL AND e.project_id > waiting.project_id ORDER BY e.project_id LIMIT 1), n + 1
  FROM waiting WHERE waiting.project_id IS NOT NULL AND n < ${LOOKED_UP}
), priorities(priority) AS (VALUES ${PRIORITIES.map((priority) => `(${priority})`).join(', ')})
SELECT waiting.project_id, priorities.priority,
  (SELECT id FROM executions e WHERE e.project_id = waiting.project_id AND e.priority = priorities.priority AND e.runnable_at <= ? ORDER BY e.runnable_at LIMIT 1) AS id
FROM waiting CROSS JOIN priorities WHERE waiting.project_id IS NOT NULL`;

/**
 * Claims the rows of `free`. `free` skips locked rows, so that processes which claim at the same time do not wait for
 * each other.
 */
const TAKE = `UPDATE executions AS e SET lease_owner = $1, lease_epoch = e.lease_epoch + 1, runnable_at = NULL
  FROM free WHERE e.id = free.id RETURNING e.*`;

/**
 * Whether the inbox of an execution has messages.
 * @param table table or alias whose rows are executions
 */
export function hasMessages(table: string): string {
  return `EXISTS (SELECT 1 FROM execution_messages m WHERE m.execution_id = ${table}.id) AS has_messages`;
}

/**
 * Priorities as rows for a lateral join, which scans the range of each priority. PostgreSQL plans a union of ten ranges
 * slowly.
 */
const EACH_PRIORITY = `generate_series(${PRIORITIES[0]}, 0, -1) AS p(priority)`;

/**
 * Further columns of claimed executions: whether the inbox has messages, and the journal text if the journal is short.
 */
const ALONG = `${hasMessages('taken')}, CASE WHEN taken.last_sequence <= ${FEW_EVENTS} THEN (
  SELECT string_agg(j.body, ',' ORDER BY j.first_sequence) FROM journal j WHERE j.execution_id = taken.id
) END AS bodies`;

/**
 * One statement for PostgreSQL. It finds at most $3 executions that are due at $2, most urgent first. If it finds fewer
 * than $3, it claims all of them for the owner $1 and returns when the next execution is due. Otherwise it claims none,
 * because the caller must choose.
 * @param columns columns selected from the table `taken`
 */
export function claimAll(columns: string): string {
  return `WITH due AS MATERIALIZED (
  SELECT p.priority, c.id, c.project_id FROM ${EACH_PRIORITY} CROSS JOIN LATERAL (
    SELECT id, project_id FROM executions WHERE priority = p.priority AND runnable_at <= $2::timestamptz ORDER BY runnable_at LIMIT $3
  ) AS c LIMIT $3
), few AS MATERIALIZED (
  SELECT count(*) < $3 AS are FROM due
), free AS MATERIALIZED (
  SELECT e.id FROM due JOIN executions e ON e.id = due.id
  WHERE (SELECT are FROM few) AND e.runnable_at <= $2::timestamptz FOR UPDATE OF e SKIP LOCKED
), taken AS (${TAKE})
SELECT due.id AS due_id, due.project_id AS due_project_id, due.priority AS due_priority, ${columns}, ${ALONG}, later.at AS later_at
FROM (
  SELECT min(c.runnable_at) AS at FROM ${EACH_PRIORITY} CROSS JOIN LATERAL (
    SELECT runnable_at FROM executions WHERE priority = p.priority AND runnable_at > $2::timestamptz ORDER BY runnable_at LIMIT 1
  ) AS c WHERE (SELECT are FROM few)
) AS later LEFT JOIN (due LEFT JOIN taken ON taken.id = due.id) ON true`;
}

/**
 * One statement for PostgreSQL. Of the executions with the ids $3, it claims for the owner $1 those due at $2 and not
 * locked.
 * @param columns columns selected from the table `taken`
 */
export function claimChosen(columns: string): string {
  return `WITH free AS MATERIALIZED (
  SELECT id FROM executions WHERE id = ANY($3::uuid[]) AND runnable_at <= $2::timestamptz FOR UPDATE SKIP LOCKED
), taken AS (${TAKE})
SELECT ${columns}, ${ALONG} FROM taken`;
}
