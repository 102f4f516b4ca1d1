const HOUR_MS = 3_600_000;

/** Time without a request after which a sign-in ends, in milliseconds. */
export const IDLE_MS = 12 * HOUR_MS;
/** Maximum duration of a sign-in in milliseconds, even if the sign-in is in use. */
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS;

export interface SignIn {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** Time at which the sign-in ends even if it is in use, in ISO 8601. */
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
