import type { NextFunction, Request, Response } from 'express';

/** Since when clients should use `/v1`. */
const DEPRECATED_SINCE = new Date('2026-11-21T00:00:00Z');

/** When `/v0` may be gone. */
const SUNSET = new Date('2027-11-30T23:59:59Z');

/** `@` and Unix seconds: a structured date (RFC 9745). */
const DEPRECATION = `@${DEPRECATED_SINCE.getTime() / 1_000}`;

/** Headers of every answer of this version, for the documents. */
export const DEPRECATION_HEADERS = {
  Deprecation: 'Since when this path is deprecated (RFC 9745).',
  Sunset: 'When it may be gone (RFC 8594).',
  Link: 'Its successor under `/v1`.',
};

/** Middleware and not an interceptor: it comes before the guards, so refusals say it too. */
export function sayDeprecated(request: Request, response: Response, next: NextFunction): void {
  // The parser of URLs escapes what would end the link.
  const { pathname } = new URL(request.originalUrl, 'http://localhost');
  response.set({
    Deprecation: DEPRECATION,
    Sunset: SUNSET.toUTCString(),
    Link: `<${pathname.replace(/^\/v0\//, '/v1/')}>; rel="successor-version"`,
  });
  next();
}
