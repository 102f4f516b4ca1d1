const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/**
 * Maximum length in characters of a path in an error message. The limit is needed, because keys in a request may be
 * very long.
 */
const MAX_LENGTH = 200;

/**
 * Returns the path of a field or list element inside `parent`, such as `nodes[2].with.url` or `metadata["a b"]`. An
 * empty `parent` means the root of the body or query.
 */
export function childPath(parent: string, segment: string | number): string {
  if (parent.length >= MAX_LENGTH) return parent;
  if (typeof segment === 'number') return `${parent}[${segment}]`;
  if (!PLAIN_KEY.test(segment)) return `${parent}[${JSON.stringify(segment.slice(0, MAX_LENGTH))}]`;
  const key = segment.slice(0, MAX_LENGTH);
  return parent === '' ? key : `${parent}.${key}`;
}
