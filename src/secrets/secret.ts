/** Pattern of secret names. Expressions use the name after `secrets.`. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Maximum size of a value in bytes of UTF-8. */
export const MAX_VALUE_BYTES = 64 * 1024;

/** A secret without its value. Times are ISO 8601. */
export interface Secret {
  readonly id: string;
  readonly projectId: string;
  /** Unique in its project. */
  readonly name: string;
  readonly description: string;
  /** Number of the value; incremented by each new value. */
  readonly version: number;
  /** Incremented by each change. The entity tag is derived from it. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When an attempt, a hook or a webhook last read the value, to the minute; null before the first read. */
  readonly lastUsedAt: string | null;
}

/** Encryption context of a secret's value. It prevents the decryption of a value that was copied to another row. */
export function sealContext(id: string): string {
  return `secret:${id}`;
}
