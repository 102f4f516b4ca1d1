import type { Explanation } from './explanation-facts.js';

/** Maximum number of executions read per deadlock detection. Beyond it, no deadlock is reported. */
const MAX_LOOKED_AT = 50;

/**
 * Finds a deadlock: the execution and all executions that it awaits, directly or indirectly. Returns their ids if each
 * of them waits only for others of them: none can end before its timeout. Null if one of them can proceed.
 */
export async function circleFrom(
  id: string,
  explained: Explanation,
  look: (id: string) => Promise<Explanation>,
): Promise<readonly string[] | null> {
  const ids = new Set([id]);
  for (const current of ids) {
    const awaited = waitsFor(current === id ? explained : await look(current));
    if (awaited === null) return null;
    for (const one of awaited) ids.add(one);
    if (ids.size > MAX_LOOKED_AT) return null;
  }
  return [...ids];
}

/** Adds the deadlock to the explanation. */
export function inCircle(explained: Explanation, ids: readonly string[]): Explanation {
  const { message, frees, details } = explained;
  return {
    ...explained,
    message: `${message} Those that it waits for wait for each other: none of them will end by itself.`,
    frees: {
      how: 'Cancelling one of those that wait for each other, or a higher max_running; else the end of their time.',
      at: frees?.at ?? null,
    },
    details: { ...details, circle: ids },
  };
}

/** Ids of the executions that block it. Null if it can proceed without them. */
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
