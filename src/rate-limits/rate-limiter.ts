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

  /** Takes one request from the caller's token bucket, and then one from the team's bucket. */
  take(caller: Caller): RateLimitState | Promise<RateLimitState> {
    const plan = this.plans.planOf(caller);
    const nowMs = this.clock.now();
    // The key of the bucket is the id itself. A concatenated key would be a new string, which JavaScript would have to
    // hash in every request.
    const taken = this.store.take(caller.keyId ?? caller.userId, plan.limits, nowMs);
    return taken instanceof Promise
      ? taken.then((result) => this.takeShared(caller, { ...result, plan, nowMs }))
      : this.takeShared(caller, { ...taken, plan, nowMs });
  }

  /** Takes one request from the team's token bucket, unless the caller's own bucket already refused the request. */
  private takeShared(caller: Caller, own: RateLimitState): RateLimitState | Promise<RateLimitState> {
    if (!own.allowed) return own;
    const limits = this.plans.sharedLimitsOf(caller);
    const taken = this.store.take(caller.teamId, limits, own.nowMs);
    return taken instanceof Promise ? taken.then((team) => both(own, team)) : both(own, taken);
  }
}

/**
 * Combines the results of the caller's and the team's bucket. Clients see the state of the caller's bucket, except that
 * an empty team bucket also refuses the request.
 */
function both(own: RateLimitState, { allowed, retryAfterMs }: TakeResult): RateLimitState {
  return allowed ? own : { ...own, allowed, retryAfterMs };
}
