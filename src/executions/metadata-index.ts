import { marksOf, type PreparedReads } from '../storage/index.js';
import type { ExecutionFilter } from '../execution-store/index.js';

/**
 * Maximum number of ids from the metadata index that are added to a filter. The database reads 1,000 executions by id
 * in a few milliseconds.
 */
const MAX_IDS = 1_000;

/**
 * Maximum length of a metadata key in the index, in characters. The migration that creates the index has the same
 * limit.
 */
const LONGEST_KEY = 200;

/**
 * Adds ids of possible matches to a filter on metadata, if the metadata index finds at most 1,000 of them. The filter
 * keeps its metadata condition, because the index may also return executions that do not match.
 */
export async function amongFew(filter: ExecutionFilter, reader: PreparedReads): Promise<ExecutionFilter> {
  if (filter.ids !== undefined) return filter;
  for (const [key, value] of filter.metadata ?? []) {
    if (key.length > LONGEST_KEY) continue;
    const ids = await having(key, value, filter.projectIds, reader);
    if (ids.length <= MAX_IDS) return { ...filter, ids };
  }
  return filter;
}

/**
 * Returns ids of executions that may have the metadata value. Rows whose value is null in the index always count as
 * possible matches, because the index does not store every value.
 */
async function having(
  key: string,
  value: string,
  projectIds: readonly string[],
  reader: PreparedReads,
): Promise<readonly string[]> {
  const under = `SELECT execution_id FROM execution_metadata WHERE project_id IN (${marksOf(projectIds)}) AND key = ?`;
  const rows = await reader.rows<{ readonly execution_id: string }>(
    `SELECT * FROM (${under} AND value = ? LIMIT ${MAX_IDS + 1}) AS same
     UNION ALL SELECT * FROM (${under} AND value IS NULL LIMIT ${MAX_IDS + 1}) AS unknown`,
    [...projectIds, key, value, ...projectIds, key],
  );
  return rows.map(({ execution_id: id }) => id);
}
