/** Names of secrets: what an expression writes after `secrets.`. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Bytes of a value in UTF-8. */
export const MAX_VALUE_BYTES = 64 * 1024;

/** A secret without its value. Times are ISO 8601. */
export interface Secret {
  readonly id: string;
  readonly projectId: string;
  /** Unique in its project. */
  readonly name: string;
  readonly description: string;
  /** Grows with each new value. */
  readonly version: number;
  /** Grows with each change; the entity tag is made of it. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When an attempt, a hook or a webhook last read the value, to the minute; null where none has. */
  readonly lastUsedAt: string | null;
}

/** What the value of a secret is sealed for: moved to another row, it cannot be opened. */
export function sealContext(id: string): string {
  return `secret:${id}`;
}
