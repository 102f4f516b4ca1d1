import type { RateLimitState } from './rate-limiter.js';

/** Returns the time at which the token bucket will be full, in Unix seconds. */
export function resetSecond({ fullAtMs }: Pick<RateLimitState, 'fullAtMs'>): number {
  return Math.ceil(fullAtMs / 1000);
}

/** Returns the number of seconds until one more request is allowed, rounded up, at least 1. */
export function retryAfterSeconds({ retryAfterMs }: Pick<RateLimitState, 'retryAfterMs'>): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}

/**
 * Returns the rate-limit headers of a response: the `X-RateLimit` headers, and the headers of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
export function rateLimitHeaders(state: RateLimitState): readonly (readonly [string, string])[] {
  const { capacity, refillPerMinute } = state.plan.limits;
  const policy = structuredString(state.plan.name);
  const windowSeconds = Math.ceil((capacity * 60) / refillPerMinute);
  const fullInSeconds = Math.max(0, Math.ceil((state.fullAtMs - state.nowMs) / 1000));
  return [
    ['X-RateLimit-Limit', String(capacity)],
    ['X-RateLimit-Remaining', String(state.remaining)],
    ['X-RateLimit-Reset', String(resetSecond(state))],
    ['RateLimit-Policy', `${policy};q=${capacity};w=${windowSeconds}`],
    ['RateLimit', `${policy};r=${state.remaining};t=${fullInSeconds}`],
  ];
}

/** Encoded plan names for response headers, by plan name. The cache stays small, because only a few plans exist. */
const structuredStrings = new Map<string, string>();

/**
 * Encodes a text as a structured-field string (RFC 9651): printable ASCII in double quotes. Other characters become
 * `_`.
 */
function structuredString(text: string): string {
  let written = structuredStrings.get(text);
  if (written === undefined) {
    written = `"${text.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&')}"`;
    structuredStrings.set(text, written);
  }
  return written;
}
