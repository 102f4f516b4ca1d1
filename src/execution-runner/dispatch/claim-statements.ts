import { FEW_EVENTS } from '../../journal/index.js';

export const PRIORITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] as const;

/**
 * Returns SQL that selects runnable executions with one index range for each priority. A single scan over all
 * priorities would also read executions that are not due yet.
 */
export function runnable(column: string, condition: string, limit: number): string {
  const parts = PRIORITIES.map(
    (priority) =>
      `SELECT * FROM (SELECT ${column} FROM executions WHERE priority = ${priority} AND ${condition} ORDER BY runnable_at LIMIT ${limit}) AS p${priority}`,
  );
  return parts.join(' UNION ALL ');
}

export const MAX_LOOKUPS = 32;

/**
 * Selects the first due execution of each priority in each of the 32 projects that follow a given project id. With the index
 * `executions_turns`, the cost of the query does not depend on the number of executions.
 */
export const OF_EACH_PROJECT = `WITH RECURSIVE waiting(project_id, n) AS (
  SELECT (SELECT project_id FROM executions WHERE runnable_at IS NOT NULL AND project_id > ? ORDER BY project_id LIMIT 1), 1
  UNION ALL
  SELECT (SELECT e.project_id FROM executions e WHERE e.runnable_at IS NOT NULL AND e.project_id > waiting.project_id ORDER BY e.project_id LIMIT 1), n + 1
  FROM waiting WHERE waiting.project_id IS NOT NULL AND n < ${MAX_LOOKUPS}
), priorities(priority) AS (VALUES ${PRIORITIES.map((priority) => `(${priority})`).join(', ')})
SELECT waiting.project_id, priorities.priority,
  (SELECT id FROM executions e WHERE e.project_id = waiting.project_id AND e.priority = priorities.priority AND e.runnable_at <= ? ORDER BY e.runnable_at LIMIT 1) AS id
FROM waiting CROSS JOIN priorities WHERE waiting.project_id IS NOT NULL`;

/** SQL that claims the executions in the subquery `free`. That subquery skips rows that other processes have locked. */
const CLAIM_FREE = `UPDATE executions AS e SET lease_owner = $1, lease_epoch = e.lease_epoch + 1, runnable_at = NULL
  FROM free WHERE e.id = free.id RETURNING e.*`;

/**
 * Returns an SQL expression that is true if the execution's inbox has messages.
 *
 * @param table table or alias whose rows are executions
 */
export function hasMessages(table: string): string {
  return `EXISTS (SELECT 1 FROM execution_messages m WHERE m.execution_id = ${table}.id) AS has_messages`;
}

/**
 * SQL for one row per priority, used in a lateral join. PostgreSQL plans the join faster than a `UNION ALL` with one
 * part for each of the ten priorities.
 */
const EACH_PRIORITY = `generate_series(${PRIORITIES[0]}, 0, -1) AS p(priority)`;

/**
 * SQL of two columns that a claim also returns, to save separate reads. `has_messages` tells whether the inbox has
 * messages, and `bodies` contains the events of a short journal.
 */
const EXTRA_COLUMNS = `${hasMessages('taken')}, CASE WHEN taken.last_sequence <= ${FEW_EVENTS} THEN (
  SELECT string_agg(j.body, ',' ORDER BY j.first_sequence) FROM journal j WHERE j.execution_id = taken.id
) END AS bodies`;

/**
 * Returns a PostgreSQL statement that claims executions which are due at $2 for the owner $1. If $3 or more are due,
 * the statement claims none and returns the due executions, so that the caller can choose among them.
 *
 * @param columns SQL of the columns to return from the subquery `taken`
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
), taken AS (${CLAIM_FREE})
SELECT due.id AS due_id, due.project_id AS due_project_id, due.priority AS due_priority, ${columns}, ${EXTRA_COLUMNS}, later.at AS later_at
FROM (
  SELECT min(c.runnable_at) AS at FROM ${EACH_PRIORITY} CROSS JOIN LATERAL (
    SELECT runnable_at FROM executions WHERE priority = p.priority AND runnable_at > $2::timestamptz ORDER BY runnable_at LIMIT 1
  ) AS c WHERE (SELECT are FROM few)
) AS later LEFT JOIN (due LEFT JOIN taken ON taken.id = due.id) ON true`;
}

/**
 * Returns a PostgreSQL statement that claims executions by id for the owner $1. The statement skips each id of the list
 * $3 whose execution is locked or not due at $2.
 *
 * @param columns SQL of the columns to return from the subquery `taken`
 */
export function claimChosen(columns: string): string {
  return `WITH free AS MATERIALIZED (
  SELECT id FROM executions WHERE id = ANY($3::uuid[]) AND runnable_at <= $2::timestamptz FOR UPDATE SKIP LOCKED
), taken AS (${CLAIM_FREE})
SELECT ${columns}, ${EXTRA_COLUMNS} FROM taken`;
}
