import { ApiProperty } from '@nestjs/swagger';
import { resetSecond } from './rate-limit.headers.js';
import type { RateLimitState } from './rate-limiter.js';

export class RateLimitsView {
  @ApiProperty({ example: 'pro' })
  plan: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 600 })
  requests_per_minute: number;

  /** Maximum number of requests at once, as in the header `X-RateLimit-Limit`. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 1000 })
  burst: number;

  /** Number of requests left after this request. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 999 })
  remaining: number;

  /** Time at which the full `burst` is available again if no further request is sent, in Unix seconds. */
  @ApiProperty({ type: 'integer', example: 1_795_255_200 })
  reset: number;
}

export function rateLimitsView(state: RateLimitState): RateLimitsView {
  const { name, limits } = state.plan;
  return {
    plan: name,
    requests_per_minute: limits.refillPerMinute,
    burst: limits.capacity,
    remaining: state.remaining,
    reset: resetSecond(state),
  };
}
