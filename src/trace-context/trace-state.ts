const MAX_MEMBERS = 32;

/** Maximum length of a `tracestate` that is forwarded, in characters. W3C requires a maximum of at least 512. */
const MAX_LENGTH = 512;

/**
 * Length in characters above which a `tracestate` member counts as long. If the whole `tracestate` is too long, long
 * members are dropped first.
 */
const LONG_MEMBER = 128;

/** Matches the key of a `tracestate` member: a simple key, or `tenant@system`. */
const KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;

/** Matches the value of a `tracestate` member: printable ASCII without comma and equals sign, not ending in a space. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * Parses a `tracestate`. Returns null for an empty or invalid header. If the `tracestate` has more than 512 characters,
 * its long members are dropped first, and then its last members, which are the oldest.
 */
export function parseTraceState(header: string): string | null {
  const members = header.split(',').flatMap((part) => {
    const member = part.replace(/^[ \t]+|[ \t]+$/g, '');
    return member === '' ? [] : [member];
  });
  if (members.length > MAX_MEMBERS || !members.every(isMember)) return null;
  if (new Set(members.map(keyOf)).size < members.length) return null;
  const kept = shortened(members);
  return kept.length === 0 ? null : kept.join(',');
}

function isMember(member: string): boolean {
  const equals = member.indexOf('=');
  return equals > 0 && KEY.test(member.slice(0, equals)) && VALUE.test(member.slice(equals + 1));
}

function keyOf(member: string): string {
  return member.slice(0, member.indexOf('='));
}

function shortened(members: readonly string[]): readonly string[] {
  if (members.join(',').length <= MAX_LENGTH) return members;
  const kept = members.filter(({ length }) => length <= LONG_MEMBER);
  while (kept.join(',').length > MAX_LENGTH) kept.pop();
  return kept;
}
