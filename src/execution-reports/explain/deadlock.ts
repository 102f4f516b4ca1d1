import type { Explanation } from './explanation-facts.js';

/** Maximum number of executions that a search for a deadlock reads. A deadlock of more executions is not reported. */
const MAX_EXECUTIONS = 50;

/**
 * Searches for a deadlock that a given execution takes part in or waits for. Returns the given execution and all
 * executions for which it waits, directly or indirectly. Returns null if one of these executions can continue, or if
 * there are more than 50 executions.
 */
export async function findDeadlock(
  id: string,
  explained: Explanation,
  explain: (id: string) => Promise<Explanation>,
): Promise<readonly string[] | null> {
  const ids = new Set([id]);
  for (const current of ids) {
    const awaited = waitsFor(current === id ? explained : await explain(current));
    if (awaited === null) return null;
    for (const one of awaited) ids.add(one);
    if (ids.size > MAX_EXECUTIONS) return null;
  }
  return [...ids];
}

/** Adds to the explanation of an execution that the execution is in a deadlock, and with which executions. */
export function withDeadlock(explained: Explanation, ids: readonly string[]): Explanation {
  const { message, frees, details } = explained;
  return {
    ...explained,
    message: `${message} This execution is in a deadlock: the executions it waits for also wait for each other, so none of them can end.`,
    frees: {
      how: 'Cancel one of the executions that wait for each other, or raise max_running. Otherwise they wait until one of them times out.',
      at: frees?.at ?? null,
    },
    details: { ...details, circle: ids },
  };
}

/**
 * Returns the ids of the executions for which an execution waits. Null if the execution waits for anything other than
 * executions, or does not wait.
 */
function waitsFor({ cause, holder, details, nodes }: Explanation): readonly string[] | null {
  switch (cause) {
    case 'max_running':
      return idsIn(details['holders']);
    case 'serial_session':
      return idsIn([holder?.id]);
    case 'child':
      return idsIn(nodes.map((node) => node.details['child_execution_id']));
    default:
      return null;
  }
}

function idsIn(values: unknown): readonly string[] | null {
  if (!Array.isArray(values)) return null;
  const ids = values.filter((value) => typeof value === 'string');
  return ids.length > 0 && ids.length === values.length ? ids : null;
}
