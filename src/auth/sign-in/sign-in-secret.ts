import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new cookie value: 256 random bits. */
export function newSignInSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The stored form of a cookie's value: its SHA-256 in hex. It is random, so no slow hash is needed. */
export function hashOfSignInSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The CSRF token that belongs to a cookie. It is derived from the cookie's value, which scripts cannot read, so it is
 * not stored and can be issued again after a reload.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

export function isCsrfToken(secret: string, sent: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret));
  const given = Buffer.from(sent);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
