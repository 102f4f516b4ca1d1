/** A person as other modules see them, without the password hash. */
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

/** Fields of a new person. */
export interface NewUser {
  readonly email: string;
  /** Defaults to the part of the address before the `@`. */
  readonly name?: string;
  /** Plain text; only its hash is stored. */
  readonly password?: string;
}

/** Maximum length of an email address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** An email address in its stored and compared form; undefined if the text is not an address. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email : undefined;
}
