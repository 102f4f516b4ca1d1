import { queryOptions } from '@tanstack/react-query';
import {
  answer,
  changeWorkflow,
  listWorkflowVersions,
  queryClient,
  readWorkflow,
  replaceWorkflow,
  taggedAnswer,
  type WorkflowBody,
  type WorkflowVersionView,
  type WorkflowView,
} from '../../api/index.ts';

export interface LiveWorkflow {
  readonly workflow: WorkflowView;
  readonly etag: string;
}

export const liveWorkflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'live', id],
    queryFn: async ({ signal }): Promise<LiveWorkflow> => {
      const { data: workflow, etag } = await taggedAnswer(readWorkflow({ signal, path: { id } }));
      return { workflow, etag };
    },
  });

export const versionsQuery = (id: string, page: { readonly limit: number; readonly offset: number }) =>
  queryOptions({
    queryKey: ['workflows', 'versions', id, page],
    queryFn: ({ signal }) => answer(listWorkflowVersions({ signal, path: { id }, query: page })),
  });

/**
 * Changes a workflow by JSON Merge Patch.
 * @param etag expected ETag of the workflow; the service responds with 412 if the workflow has another ETag
 */
export async function patchWorkflow(
  id: string,
  patch: Readonly<Record<string, unknown>>,
  etag?: string,
): Promise<WorkflowView> {
  const headers = etag === undefined ? {} : { 'If-Match': etag };
  try {
    return await answer(changeWorkflow({ path: { id }, body: { ...patch }, headers }));
  } finally {
    // Also after an error, because the service refuses a change of an outdated workflow.
    await queryClient.invalidateQueries({ queryKey: ['workflows'] });
  }
}

type Defined = Pick<WorkflowView | WorkflowVersionView, 'config' | 'input_schema' | 'nodes' | 'output'>;

/** The versioned part of a workflow as JSON text, with fields in a fixed order so that texts can be compared. */
export function definitionText({ input_schema, nodes, output, config }: Defined): string {
  return JSON.stringify({ input_schema, nodes, output, config }, null, 2);
}

/**
 * Replaces the definition of a workflow. Fields that the new definition omits are removed.
 * @param etag expected ETag of the workflow; the service responds with 412 if the workflow has another ETag
 */
export async function replaceDefinition(
  workflow: WorkflowView,
  definition: Readonly<Record<string, unknown>>,
  etag: string,
): Promise<LiveWorkflow> {
  const replaced = await taggedAnswer(
    replaceWorkflow({
      path: { id: workflow.id },
      body: bodyOf(workflow, definition),
      headers: { 'If-Match': etag },
    }),
  );
  await queryClient.invalidateQueries({ queryKey: ['workflows'] });
  return { workflow: replaced.data, etag: replaced.etag };
}

export type WorkflowHead = Pick<WorkflowView, 'name' | 'description' | 'status' | 'tags'>;

/** The request body that replaces the definition of a workflow and keeps the name, description, status and tags. */
export function bodyOf(
  { name, description, status, tags }: WorkflowHead,
  definition: Readonly<Record<string, unknown>>,
): WorkflowBody {
  return { name, description, status, tags, ...definition };
}
