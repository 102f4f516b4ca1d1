import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new value for a sign-in's cookie: 256 bits of chance, and nothing but. */
export function newSignInSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored in place of a cookie's value: its SHA-256 in hex. It is random, so no slow hash is needed. */
export function hashOfSignInSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The token that goes with a cookie in the CSRF header. It follows from the cookie's value, which no script can
 * read, so it needs no place of its own and can be said again after a reload.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

export function isCsrfToken(secret: string, sent: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret));
  const given = Buffer.from(sent);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
