import { isId } from '../../platform/index.js';
import type { WorkflowView } from '../../workflows/index.js';
import { CommandError } from '../command-error.js';
import type { Server } from './server.js';

/**
 * Returns the id of a workflow or an execution.
 * @param text an id, the full name of a workflow, or the last characters of an execution id, which lists show
 * @throws CommandError if no workflow or execution matches the text, or several match
 */
export async function idOf(server: Server, kind: 'workflow' | 'execution', text: string): Promise<string> {
  if (isId(text.toLowerCase())) return text.toLowerCase();
  const [first, second] =
    kind === 'workflow' ? await workflowsNamed(server, text) : await executionsEndingWith(server, text);
  if (first === undefined) throw new CommandError(`No ${kind} matches "${text}".`);
  if (second !== undefined)
    throw new CommandError(`Several ${kind}s match "${text}". Pass the id of one of them.`);
  return first.id;
}

/**
 * Returns the workflows with exactly this name, without archived workflows.
 * @param projectId default: every project that the key may access
 */
export async function workflowsNamed(
  server: Server,
  name: string,
  projectId?: string,
): Promise<readonly WorkflowView[]> {
  const found = await server.all<WorkflowView>('/v1/workflows', {
    q: name,
    project_id: projectId,
  });
  return found.filter((workflow) => workflow.name === name);
}

async function executionsEndingWith(server: Server, text: string) {
  const { data } = await server.page<{ readonly id: string }>('/v1/executions', { q: text });
  return data.filter(({ id }) => id.endsWith(text.toLowerCase()));
}
