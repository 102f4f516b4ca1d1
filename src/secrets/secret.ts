/** Pattern of secret names, which expressions use after `secrets.`. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Maximum size of a value in bytes of UTF-8. */
export const MAX_VALUE_BYTES = 64 * 1024;

/** A secret without its value. Times are ISO 8601. */
export interface Secret {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  /** Incremented by each new value. */
  readonly version: number;
  /** Incremented by each change. Used as the entity tag. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Last read of the value by an attempt, a hook or a webhook, to the minute. Null before the first read. */
  readonly lastUsedAt: string | null;
}

/** Encryption context of a value, which prevents the decryption of a value from another row. */
export function sealContext(id: string): string {
  return `secret:${id}`;
}
