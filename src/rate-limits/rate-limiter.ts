import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { type RateLimitPlan, RateLimitPlans } from './plans.js';
import { RateLimitStore } from './rate-limit.store.js';
import type { TakeResult } from './token-bucket.js';

/** The rate limit of a caller after one request: plan, remaining requests, and time of the request. */
export interface RateLimitState extends TakeResult {
  readonly plan: RateLimitPlan;
  readonly nowMs: number;
}

export type Caller = Pick<Principal, 'keyId' | 'keyPlan' | 'userId' | 'teamId' | 'plan'>;

/**
 * Limits requests by API key or signed-in user, and also by team. The limit by team applies to all keys of the team
 * together.
 */
@Injectable()
export class RateLimiter {
  constructor(
    private readonly plans: RateLimitPlans,
    private readonly store: RateLimitStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes one request from the caller's token bucket, and one from the team's bucket. */
  take(caller: Caller): RateLimitState | Promise<RateLimitState> {
    const plan = this.plans.planOf(caller);
    const nowMs = this.clock.now();
    // The keys of the buckets are the ids themselves. A concatenated key would be a new string, which JavaScript would
    // have to hash in every request.
    const taken = this.store.take(
      { key: caller.keyId ?? caller.userId, limits: plan.limits },
      { key: caller.teamId, limits: this.plans.sharedLimitsOf(caller) },
      nowMs,
    );
    return taken instanceof Promise
      ? taken.then((result) => ({ ...result, plan, nowMs }))
      : { ...taken, plan, nowMs };
  }
}
