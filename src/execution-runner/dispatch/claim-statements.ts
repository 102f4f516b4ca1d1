/** SQL that finds and takes what may run. `?` marks parameters; see `ClaimsRepository`. */
import { FEW_EVENTS } from '../../journal/index.js';

export const PRIORITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] as const;

/** One index range a priority: sleeping executions of a priority are never read on the way to the next. */
export function runnable(column: string, condition: string, limit: number): string {
  const parts = PRIORITIES.map(
    (priority) =>
      `SELECT * FROM (SELECT ${column} FROM executions WHERE priority = ${priority} AND ${condition} ORDER BY runnable_at LIMIT ${limit}) AS p${priority}`,
  );
  return parts.join(' UNION ALL ');
}

/** Projects looked up at once. */
export const LOOKED_UP = 32;

/**
 * The first runnable execution of each priority of the next projects that have any that run or sleep: a few
 * look-ups a project in `executions_turns`, however many executions it has.
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

/** Of several processes that chose the same one, none waits for another. */
const TAKE = `UPDATE executions AS e SET lease_owner = $1, lease_epoch = e.lease_epoch + 1, runnable_at = NULL
  FROM free WHERE e.id = free.id RETURNING e.*`;

/** @param table whose rows are executions */
export function hasMessages(table: string): string {
  return `EXISTS (SELECT 1 FROM execution_messages m WHERE m.execution_id = ${table}.id) AS has_messages`;
}

/** Of a PostgreSQL, whose planner is slow over a union of ten: the same range by range. */
const EACH_PRIORITY = `generate_series(${PRIORITIES[0]}, 0, -1) AS p(priority)`;

/** What goes with those that were taken: a journal that is short comes along. */
const ALONG = `${hasMessages('taken')}, CASE WHEN taken.last_sequence <= ${FEW_EVENTS} THEN (
  SELECT string_agg(j.body, ',' ORDER BY j.first_sequence) FROM journal j WHERE j.execution_id = taken.id
) END AS bodies`;

/**
 * For PostgreSQL, in one go: what is due ($2), the most urgent first, at most $3; where that is less than $3, all of
 * it is taken for the owner $1, and it says when the next is due. Else somebody has to choose, and nothing is taken.
 * @param columns what is told of those in the table `taken`
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
 * For PostgreSQL: takes those of the ids $3 that are due ($2) and free for the owner $1.
 * @param columns what is told of those in the table `taken`
 */
export function claimChosen(columns: string): string {
  return `WITH free AS MATERIALIZED (
  SELECT id FROM executions WHERE id = ANY($3::uuid[]) AND runnable_at <= $2::timestamptz FOR UPDATE SKIP LOCKED
), taken AS (${TAKE})
SELECT ${columns}, ${ALONG} FROM taken`;
}
