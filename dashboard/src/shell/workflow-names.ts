import { useQueries, useQuery } from '@tanstack/react-query';
import { workflowQuery, workflowsQuery } from '../api/index.ts';

/** Names of workflows by id. Deleted workflows are absent. */
export function useWorkflowNames(
  projectId: string | undefined,
  rows: readonly { readonly workflow_id: string }[] = [],
): ReadonlyMap<string, string> {
  const { data } = useQuery(workflowsQuery({ limit: 100, project_id: projectId }));
  const known = new Map(data?.data.map(({ id, name }) => [id, name]));
  const missing =
    data === undefined ? [] : [...new Set(rows.map((row) => row.workflow_id))].filter((id) => !known.has(id));
  const others = useQueries({ queries: missing.map((id) => workflowQuery(id)) });
  for (const { data: other } of others) if (other !== undefined) known.set(other.id, other.name);
  return known;
}
