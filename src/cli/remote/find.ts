import { isId } from '../../platform/index.js';
import { CommandError } from '../command-error.js';
import type { Server } from './server.js';

interface Found {
  readonly data: readonly { readonly id: string }[];
}

/**
 * Returns the id of the workflow or execution that a text identifies.
 * @param text an id, the whole name of a workflow, or the last characters of the id of an execution, as lists show them
 * @throws CommandError if no or several workflows or executions match the text
 */
export async function idOf(server: Server, kind: 'workflow' | 'execution', text: string): Promise<string> {
  if (isId(text.toLowerCase())) return text.toLowerCase();
  const [first, second] =
    kind === 'workflow' ? await workflowsNamed(server, text) : await executionsEndingWith(server, text);
  if (first === undefined) throw new CommandError(`There is no ${kind} "${text}".`);
  if (second !== undefined) throw new CommandError(`Several ${kind}s match "${text}". Pass an ID.`);
  return first.id;
}

/**
 * Returns the workflows with exactly this name that are not archived.
 * @param projectId default: every project that the key may access
 */
export async function workflowsNamed<Workflow extends { readonly id: string }>(
  server: Server,
  name: string,
  projectId?: string,
): Promise<readonly Workflow[]> {
  const found: Workflow[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      q: name,
      limit: '100',
      ...(projectId === undefined ? {} : { project_id: projectId }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const { data, pagination } = await server.request<{
      readonly data: readonly (Workflow & { readonly name: string })[];
      readonly pagination: { readonly next_cursor?: string };
    }>('GET', `/v1/workflows?${query.toString()}`);
    found.push(...data.filter((workflow) => workflow.name === name));
    cursor = pagination.next_cursor;
  } while (cursor !== undefined);
  return found;
}

async function executionsEndingWith(server: Server, text: string): Promise<Found['data']> {
  const query = new URLSearchParams({ q: text, limit: '100' });
  const { data } = await server.request<Found>('GET', `/v1/executions?${query.toString()}`);
  return data.filter(({ id }) => id.endsWith(text.toLowerCase()));
}
