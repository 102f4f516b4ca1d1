const HOUR_MS = 3_600_000;

/** A sign-in ends after so long without a call. */
export const IDLE_MS = 12 * HOUR_MS;
/** A sign-in ends so long after it began, however busy it is. */
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS;

/** A person signed in to the dashboard. */
export interface SignIn {
  readonly id: string;
  readonly userId: string;
  /** The team that is looked at. */
  readonly teamId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** The absolute end. */
  readonly expiresAt: string;
}

/** The sign-in of a request, with its cookie's value. */
export interface CurrentSignIn extends SignIn {
  readonly secret: string;
}

/** @param now epoch milliseconds */
export function isOver({ lastSeenAt, expiresAt }: SignIn, now: number): boolean {
  return Date.parse(expiresAt) <= now || Date.parse(lastSeenAt) + IDLE_MS <= now;
}
