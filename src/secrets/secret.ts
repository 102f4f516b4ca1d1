/** Pattern of the names of secrets. An expression refers to a secret as `secrets.NAME`. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Maximum size of a secret's value in bytes of UTF-8. */
export const MAX_VALUE_BYTES = 64 * 1024;

/** A secret without its value. Times are ISO 8601. */
export interface Secret {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  /** Version of the secret's value, from 1. Each new value increments the version. */
  readonly version: number;
  /** Revision of the secret, from 1. Each change of any field by a client increments the revision. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * Time at which an attempt, a hook or a webhook last read the value, accurate to about a minute. Null before the
   * first read.
   */
  readonly lastUsedAt: string | null;
}

/**
 * Returns the encryption context of a secret's value. The context contains the id of the row, so that a value copied to
 * another row cannot be decrypted.
 */
export function sealContext(id: string): string {
  return `secret:${id}`;
}
