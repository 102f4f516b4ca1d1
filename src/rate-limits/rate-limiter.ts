import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { type RateLimitPlan, RateLimitPlans } from './plans.js';
import { RateLimitStore } from './rate-limit.store.js';
import type { TakeResult } from './token-bucket.js';

/** A caller's plan and what it left of its requests, right after one more was asked for. */
export interface RateLimitState extends TakeResult {
  readonly plan: RateLimitPlan;
  readonly nowMs: number;
}

export type Caller = Pick<Principal, 'keyId' | 'keyPlan' | 'userId' | 'teamId' | 'plan'>;

/**
 * Counts requests: one count a key over all routes; what a person does in the dashboard, one count a person. Beside it
 * all callers of a team share a bucket, so many keys do not add up to any rate.
 */
@Injectable()
export class RateLimiter {
  constructor(
    private readonly plans: RateLimitPlans,
    private readonly store: RateLimitStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes one request, if it is there. */
  take(caller: Caller): RateLimitState | Promise<RateLimitState> {
    const plan = this.plans.planOf(caller);
    const nowMs = this.clock.now();
    // Ids are unique over all kinds of things; a text made here would be hashed anew at each request.
    const taken = this.store.take(caller.keyId ?? caller.userId, plan.limits, nowMs);
    return taken instanceof Promise
      ? taken.then((result) => this.takeShared(caller, { ...result, plan, nowMs }))
      : this.takeShared(caller, { ...taken, plan, nowMs });
  }

  /** A request that its own bucket refuses takes nothing from the team. */
  private takeShared(caller: Caller, own: RateLimitState): RateLimitState | Promise<RateLimitState> {
    if (!own.allowed) return own;
    const limits = this.plans.sharedLimitsOf(caller);
    const taken = this.store.take(caller.teamId, limits, own.nowMs);
    return taken instanceof Promise ? taken.then((team) => both(own, team)) : both(own, taken);
  }
}

/** The state of the own bucket, refused where the team's bucket is empty. */
function both(own: RateLimitState, { allowed, retryAfterMs }: TakeResult): RateLimitState {
  return allowed ? own : { ...own, allowed, retryAfterMs };
}
