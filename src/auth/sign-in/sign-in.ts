const HOUR_MS = 3_600_000;

/** A sign-in ends after this time without a request. */
export const IDLE_MS = 12 * HOUR_MS;
/** A sign-in ends this long after its start, even if in use. */
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS;

export interface SignIn {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** ISO 8601 time at which the sign-in ends even if in use. */
  readonly expiresAt: string;
}

export interface CurrentSignIn extends SignIn {
  readonly secret: string;
}

/**
 * @param now epoch milliseconds
 */
export function isOver({ lastSeenAt, expiresAt }: SignIn, now: number): boolean {
  return Date.parse(expiresAt) <= now || Date.parse(lastSeenAt) + IDLE_MS <= now;
}
