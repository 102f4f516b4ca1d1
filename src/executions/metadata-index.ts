import { marksOf, type PreparedReads } from '../storage/index.js';
import type { ExecutionFilter } from '../execution-store/index.js';

/** Maximum number of ids in a filter. The database reads this number of rows in a few milliseconds. */
const FEW = 1_000;

/** Maximum length of a key in the index. The migration also has this limit. */
const LONGEST_KEY = 200;

/**
 * Adds the few possible matches of a metadata filter to the filter. The filter keeps its condition on metadata,
 * because the index may return false matches.
 */
export async function amongFew(filter: ExecutionFilter, reader: PreparedReads): Promise<ExecutionFilter> {
  if (filter.ids !== undefined) return filter;
  for (const [key, value] of filter.metadata ?? []) {
    if (key.length > LONGEST_KEY) continue;
    const ids = await having(key, value, filter.projectIds, reader);
    if (ids.length <= FEW) return { ...filter, ids };
  }
  return filter;
}

/**
 * Ids of executions whose metadata may have the value. The index contains null for long texts, and for values whose
 * text differs between the databases.
 */
async function having(
  key: string,
  value: string,
  projectIds: readonly string[],
  reader: PreparedReads,
): Promise<readonly string[]> {
  const under = `SELECT execution_id FROM execution_metadata WHERE project_id IN (${marksOf(projectIds)}) AND key = ?`;
  const rows = await reader.rows<{ readonly execution_id: string }>(
    `SELECT * FROM (${under} AND value = ? LIMIT ${FEW + 1}) AS same
     UNION ALL SELECT * FROM (${under} AND value IS NULL LIMIT ${FEW + 1}) AS unknown`,
    [...projectIds, key, value, ...projectIds, key],
  );
  return rows.map(({ execution_id: id }) => id);
}
