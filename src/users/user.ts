/** A person, as other rooms see one: without the password's hash. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Addresses and CIDR ranges from which any API key of this person may be used; null for all. */
  readonly allowedIps: readonly string[] | null;
  readonly disabledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a new person brings along. */
export interface NewUser {
  readonly email: string;
  /** Where none is given, the part of the address before the `@`. */
  readonly name?: string;
  /** Plain text; only its hash is kept. */
  readonly password?: string;
}

/** Longest address that mail can be sent to (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** An email address as it is kept and compared; undefined where the text cannot be one. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email : undefined;
}
