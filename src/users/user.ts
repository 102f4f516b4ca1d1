/** A person with an account, without the password hash. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** IP addresses and CIDR ranges from which the person's API keys may be used. Null for no restriction. */
  readonly allowedIps: readonly string[] | null;
  readonly preferences: Preferences;
  readonly disabledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How the dashboard shows times and lists to a person. */
export interface Preferences {
  /**
   * Time zone in which the dashboard shows times: `local` for the time zone of the browser, or an IANA time zone such
   * as `Europe/Berlin`.
   */
  readonly time_zone: string;
  readonly page_size: PageSize;
}

export const PAGE_SIZES = [20, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

export const DEFAULT_PREFERENCES: Preferences = { time_zone: 'local', page_size: 20 };

/** Whether a text is `local` or a supported IANA time zone. */
export function isTimeZone(text: string): boolean {
  if (text === 'local') return true;
  // Offsets such as `+02:00` are refused here, because `Intl` accepts them although they are not names of
  // time zones.
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
  /** Display name of the person. Default: the part of the email address before the `@`. */
  readonly name?: string;
  /** Password in plain text, of which only a hash is stored. */
  readonly password?: string;
}

export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/**
 * Returns an email address in the form in which it is stored and compared: trimmed, in lower case. Undefined if the
 * address is invalid.
 */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email : undefined;
}
