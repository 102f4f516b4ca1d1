import { marksOf, type SqlReader } from '../storage/index.js';
import type { ExecutionFilter } from '../execution-store/index.js';

/** So many are looked at one by one in a few milliseconds. */
const FEW = 1_000;

/** Longer keys are not in the index; see the migration that makes it. */
const LONGEST_KEY = 200;

/**
 * The filter, narrowed to the executions that may have one of its metadata, where an index knows that those are few: else
 * every execution would have to be looked at. What it narrows by stays in it, as the index says too much of some.
 */
export async function amongFew(filter: ExecutionFilter, reader: SqlReader): Promise<ExecutionFilter> {
  if (filter.ids !== undefined) return filter;
  for (const [key, value] of filter.metadata ?? []) {
    if (key.length > LONGEST_KEY) continue;
    const ids = await having(key, value, filter.projectIds, reader);
    if (ids.length <= FEW) return { ...filter, ids };
  }
  return filter;
}

/** Those with the very value, and those whose value is null there: its text is long, or not the same on each database. */
async function having(
  key: string,
  value: string,
  projectIds: readonly string[],
  reader: SqlReader,
): Promise<readonly string[]> {
  const under = `SELECT execution_id FROM execution_metadata WHERE project_id IN (${marksOf(projectIds)}) AND key = ?`;
  const rows = await reader.rows<{ readonly execution_id: string }>(
    `SELECT * FROM (${under} AND value = ? LIMIT ${FEW + 1}) AS same
     UNION ALL SELECT * FROM (${under} AND value IS NULL LIMIT ${FEW + 1}) AS unknown`,
    [...projectIds, key, value, ...projectIds, key],
  );
  return rows.map(({ execution_id: id }) => id);
}
