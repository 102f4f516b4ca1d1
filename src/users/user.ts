/** A person without the password hash. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Addresses and CIDR ranges that may use the person's API keys. Null for all. */
  readonly allowedIps: readonly string[] | null;
  /** How the dashboard shows times and lists to this person. */
  readonly preferences: Preferences;
  readonly disabledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How the dashboard shows times and lists. */
export interface Preferences {
  /** `local` for the time zone of the browser, or an IANA time zone such as `Europe/Berlin`. */
  readonly time_zone: string;
  readonly page_size: PageSize;
}

export const PAGE_SIZES = [20, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

export const DEFAULT_PREFERENCES: Preferences = { time_zone: 'local', page_size: 20 };

/** Whether a string is `local` or a supported IANA time zone. */
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

export interface NewUser {
  readonly email: string;
  /** Default: the part of the email address before the `@`. */
  readonly name?: string;
  /** Plain text. Only a hash is stored. */
  readonly password?: string;
}

export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** The form in which an email address is stored and compared. Undefined for an invalid address. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email : undefined;
}
