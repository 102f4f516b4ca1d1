const SECRET_NAME = /authorization|cookie|token|password|passwd|secret|jwt|api_?key|^key$|private_?key/i;

/** Names without a secret that resemble names of secrets. */
const HARMLESS_NAME = /_(?:id|count|name|prefix|type)$|Id$/;

/** API keys, hook tokens and JWTs anywhere in a line. */
const SECRET_VALUES =
  /wfk_[A-Za-z0-9]{8,}|whk_[\w-]{8,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|\bBearer\s+[\w.~+/-]{8,}=*/g;

const REDACTED = '[redacted]';
const MAX_DEPTH = 6;

/** Copies a log entry and redacts fields with secret names. */
export function redactedByName(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactedMembers(entry, 0);
}

/** Redacts values in a line that look like secrets. */
export function redactedByShape(line: string): string {
  return line.replace(SECRET_VALUES, REDACTED);
}

function redactedMembers(object: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) && !HARMLESS_NAME.test(name) ? REDACTED : redactedValue(value, depth + 1),
    ]),
  );
}

function redactedValue(value: unknown, depth: number): unknown {
  // The serializer of errors selects fields that are safe to log.
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date)
    return value;
  if (depth > MAX_DEPTH) return '[deep]';
  return Array.isArray(value)
    ? value.map((element) => redactedValue(element, depth + 1))
    : redactedMembers(value, depth);
}
