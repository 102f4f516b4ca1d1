import type { Explanation } from './explanation-facts.js';

/** Executions looked at, beyond which it is left open whether they wait for each other. */
const MAX_LOOKED_AT = 50;

/**
 * The executions that one waits for, and those that these wait for, where none of them waits for anything else: not
 * one will end by itself before its time is up. Null where one of them may.
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

/** An explanation that says so. */
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

/** What all would have to stand still for it to stand still; null where it may go on without any of them. */
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
