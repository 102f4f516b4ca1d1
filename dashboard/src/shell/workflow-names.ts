import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workflowQuery, workflowsQuery } from '../api/index.ts';

export interface WorkflowNames {
  /** Names of workflows by workflow id. Deleted workflows are absent. */
  readonly names: ReadonlyMap<string, string>;
  /**
   * True until the names for the first loaded rows are known. Rows that arrive later show workflow ids until their
   * names are loaded.
   */
  readonly isPending: boolean;
}

/**
 * Returns the name of a workflow; undefined while the name is loading, or if the workflow was deleted.
 * @param id id of the workflow; undefined while the id is loading, null if there is no workflow
 */
export function useWorkflowName(id: string | null | undefined): {
  readonly name: string | undefined;
  readonly isPending: boolean;
} {
  const { data, isLoading } = useQuery({ ...workflowQuery(id ?? ''), enabled: typeof id === 'string' });
  return { name: data?.name, isPending: id === undefined || isLoading };
}

/**
 * @param rows undefined while they are loading
 */
export function useWorkflowNames(
  projectId: string | undefined,
  rows: readonly { readonly workflow_id: string }[] | undefined,
): WorkflowNames {
  const list = useQuery(workflowsQuery({ limit: 100, project_id: projectId }));
  const names = new Map(list.data?.data.map(({ id, name }) => [id, name]));
  const missing =
    list.data === undefined || rows === undefined
      ? []
      : [...new Set(rows.map((row) => row.workflow_id))].filter((id) => !names.has(id));
  const others = useQueries({ queries: missing.map((id) => workflowQuery(id)) });
  for (const { data: other } of others) if (other !== undefined) names.set(other.id, other.name);
  const [isPending, setPending] = useState(true);
  const isLoading = rows === undefined || list.isLoading || others.some((other) => other.isLoading);
  if (isPending && !isLoading) setPending(false);
  return { names, isPending: isPending && isLoading };
}
