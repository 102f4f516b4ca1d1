import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new value for the dashboard's cookie: 256 random bits. */
export function newSignInSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** SHA-256 of a cookie's value in hex, as it is stored. The value is random, so no slow hash is needed. */
export function hashOfSignInSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The CSRF token of a sign-in, derived from the value of the cookie. It need not be stored and can be issued again
 * after a reload; scripts cannot compute it because they cannot read the cookie.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

export function isCsrfToken(secret: string, sent: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret));
  const given = Buffer.from(sent);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
