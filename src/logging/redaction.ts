const SECRET_NAME = /authorization|cookie|token|password|passwd|secret|jwt|api_?key|^key$|private_?key/i;

/** Field names that resemble the name of a secret, such as `key_id` or `token_count`, but whose value is not secret. */
const HARMLESS_NAME = /_(?:id|count|name|prefix|type)$|Id$/;

/** Pattern of API keys, view tokens, hook tokens, signing keys, JWTs and bearer tokens anywhere in a log line. */
const SECRET_VALUES =
  /wfk_[A-Za-z0-9]{8,}|wfv_[\w.-]{8,}|whk_[\w-]{8,}|whsec_[\w+/-]{8,}=*|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|\bBearer\s+[\w.~+/-]{8,}=*/g;

const REDACTED = '[redacted]';
const MAX_DEPTH = 6;

/** Returns a copy of a log entry in which the values of fields with secret names are redacted. */
export function redactedByName(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactedMembers(entry, 0);
}

/** Redacts parts of a log line that look like secrets, such as API keys. */
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
  // Errors are returned unchanged, because the serializer of errors selects the fields that are safe to log.
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date)
    return value;
  if (depth > MAX_DEPTH) return '[deep]';
  return Array.isArray(value)
    ? value.map((element) => redactedValue(element, depth + 1))
    : redactedMembers(value, depth);
}
