import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** 256 random bits. */
export function newSignInSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** SHA-256 in hex. Random values need no slow hash. */
export function hashOfSignInSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * Derived from the cookie's value, which scripts cannot read. A reload can issue the same token
 * again without storage.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

export function isCsrfToken(secret: string, sent: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret));
  const given = Buffer.from(sent);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
