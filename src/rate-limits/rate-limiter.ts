import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { type RateLimitPlan, RateLimitPlans } from './plans.js';
import { RateLimitStore } from './rate-limit.store.js';
import type { TakeResult } from './token-bucket.js';

/** A caller's plan and remaining requests after a request. */
export interface RateLimitState extends TakeResult {
  readonly plan: RateLimitPlan;
  readonly nowMs: number;
}

export type Caller = Pick<Principal, 'keyId' | 'keyPlan' | 'userId' | 'teamId' | 'plan'>;

/**
 * Counts requests per API key or signed-in person, and per team. Many keys of a team therefore have a common limit.
 */
@Injectable()
export class RateLimiter {
  constructor(
    private readonly plans: RateLimitPlans,
    private readonly store: RateLimitStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes one request from the caller's and the team's bucket, if both have a request left. */
  take(caller: Caller): RateLimitState | Promise<RateLimitState> {
    const plan = this.plans.planOf(caller);
    const nowMs = this.clock.now();
    // The id is a unique key without a prefix. A prefixed string would have to be hashed in every request.
    const taken = this.store.take(caller.keyId ?? caller.userId, plan.limits, nowMs);
    return taken instanceof Promise
      ? taken.then((result) => this.takeShared(caller, { ...result, plan, nowMs }))
      : this.takeShared(caller, { ...taken, plan, nowMs });
  }

  /** Takes one request from the team's bucket, unless the caller's bucket refused the request. */
  private takeShared(caller: Caller, own: RateLimitState): RateLimitState | Promise<RateLimitState> {
    if (!own.allowed) return own;
    const limits = this.plans.sharedLimitsOf(caller);
    const taken = this.store.take(caller.teamId, limits, own.nowMs);
    return taken instanceof Promise ? taken.then((team) => both(own, team)) : both(own, taken);
  }
}

/** The state of the caller's bucket. An empty bucket of the team refuses the request. */
function both(own: RateLimitState, { allowed, retryAfterMs }: TakeResult): RateLimitState {
  return allowed ? own : { ...own, allowed, retryAfterMs };
}
