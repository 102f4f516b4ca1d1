/** A person as other modules see them, without the password hash. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Addresses and CIDR ranges from which the API keys of this person may be used; null for all addresses. */
  readonly allowedIps: readonly string[] | null;
  /** How the dashboard shows times and lists to this person. */
  readonly preferences: Preferences;
  readonly disabledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How the dashboard shows times and lists. */
export interface Preferences {
  /** `local` for the time zone of the browser, or an IANA time zone such as `UTC` or `Europe/Berlin`. */
  readonly time_zone: string;
  readonly page_size: PageSize;
}

export const PAGE_SIZES = [20, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

export const DEFAULT_PREFERENCES: Preferences = { time_zone: 'local', page_size: 20 };

/** Whether a string is `local` or an IANA time zone that Node.js supports. */
export function isTimeZone(text: string): boolean {
  if (text === 'local') return true;
  // Intl accepts offsets such as `+02:00`, which are not time zones.
  if (!/^[A-Za-z]/u.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Fields of a new person. */
export interface NewUser {
  readonly email: string;
  /** Defaults to the part of the email address before the `@`. */
  readonly name?: string;
  /** Plain text; only its hash is stored. */
  readonly password?: string;
}

/** Maximum length of an email address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** The form in which an email address is stored and compared; undefined if the string is not an email address. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email : undefined;
}
