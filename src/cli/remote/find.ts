import { isId } from '../../platform/index.js';
import { CommandError } from '../command-error.js';
import type { Server } from './server.js';

/**
 * The id that a text means.
 * @param text an id, the whole name of a workflow, or the last characters of the id of an execution, as lists show them
 * @throws CommandError if the text means nothing, or several things
 */
export async function idOf(server: Server, kind: 'workflow' | 'execution', text: string): Promise<string> {
  if (isId(text.toLowerCase())) return text.toLowerCase();
  const query = new URLSearchParams({ q: text, limit: '100' });
  const { data } = await server.request<{ data: { id: string; name?: string }[] }>(
    'GET',
    `/v1/${kind}s?${query.toString()}`,
  );
  const [first, second] = data.filter(({ id, name }) =>
    kind === 'workflow' ? name === text : id.endsWith(text.toLowerCase()),
  );
  if (first === undefined) throw new CommandError(`There is no ${kind} "${text}".`);
  if (second !== undefined) throw new CommandError(`Several ${kind}s match "${text}". Pass an ID.`);
  return first.id;
}
