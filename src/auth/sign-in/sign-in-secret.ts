import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** Returns a random secret of 256 bits, in base64url. */
export function newSignInSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the SHA-256 hash of a secret, in hex. Random secrets do not need a slow hash. */
export function hashOfSignInSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * Returns the CSRF token of a sign-in. The token is derived from the cookie, whose value scripts cannot read. The
 * service can therefore return the same token after a reload without storing the token.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

export function isCsrfToken(secret: string, sent: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret));
  const given = Buffer.from(sent);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
