const HOUR_MS = 3_600_000;

/** A sign-in ends after this time without a request. */
export const IDLE_MS = 12 * HOUR_MS;
/** A sign-in ends this long after its start, even if it is in use. */
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS;

/** A sign-in of a person to the dashboard. */
export interface SignIn {
  readonly id: string;
  readonly userId: string;
  /** The selected team. */
  readonly teamId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** ISO 8601 time at which the sign-in ends even if it is in use. */
  readonly expiresAt: string;
}

/** The sign-in of a request, with its cookie value. */
export interface CurrentSignIn extends SignIn {
  readonly secret: string;
}

/**
 * Whether a sign-in has ended.
 * @param now epoch milliseconds
 */
export function isOver({ lastSeenAt, expiresAt }: SignIn, now: number): boolean {
  return Date.parse(expiresAt) <= now || Date.parse(lastSeenAt) + IDLE_MS <= now;
}
