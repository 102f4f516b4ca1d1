import type { RateLimitPlan } from './plans.js';
import type { RateLimitState } from './rate-limiter.js';

/** Unix second at which the bucket is full. */
export function resetSecond({ fullAtMs }: Pick<RateLimitState, 'fullAtMs'>): number {
  return Math.ceil(fullAtMs / 1000);
}

/** Whole seconds after which one more request is allowed, at least 1. */
export function retryAfterSeconds({ retryAfterMs }: Pick<RateLimitState, 'retryAfterMs'>): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}

/**
 * The headers of an answer: the specification's three, and the two of draft-ietf-httpapi-ratelimit-headers-10
 * (a quota `q` that fills in a window of `w` seconds; `r` requests left, `t` seconds until it is full).
 */
export function rateLimitHeaders(state: RateLimitState): readonly (readonly [string, string])[] {
  const { name, limit, policy } = textsOf(state.plan);
  const fullInSeconds = Math.max(0, Math.ceil((state.fullAtMs - state.nowMs) / 1000));
  return [
    ['X-RateLimit-Limit', limit],
    ['X-RateLimit-Remaining', String(state.remaining)],
    ['X-RateLimit-Reset', String(resetSecond(state))],
    ['RateLimit-Policy', policy],
    ['RateLimit', `${name};r=${state.remaining};t=${fullInSeconds}`],
  ];
}

/** What the headers say of a plan: the same for each request. */
interface PlanTexts {
  readonly name: string;
  readonly limit: string;
  readonly policy: string;
}

const texts = new WeakMap<RateLimitPlan, PlanTexts>();

function textsOf(plan: RateLimitPlan): PlanTexts {
  let known = texts.get(plan);
  if (known === undefined) {
    const { capacity, refillPerMinute } = plan.limits;
    const name = structuredString(plan.name);
    const windowSeconds = Math.ceil((capacity * 60) / refillPerMinute);
    known = { name, limit: String(capacity), policy: `${name};q=${capacity};w=${windowSeconds}` };
    texts.set(plan, known);
  }
  return known;
}

/** A String of RFC 9651: printable ASCII between quotes. */
function structuredString(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&')}"`;
}
