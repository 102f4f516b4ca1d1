import type { ServerResponse } from 'node:http';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { type AuthenticatedRequest, routeAccess } from '../access/index.js';
import { RateLimitError } from '../errors/index.js';
import { rateLimitHeaders, retryAfterSeconds } from './rate-limit.headers.js';
import { RateLimiter, type RateLimitState } from './rate-limiter.js';

/** What `@SkipThrottle()` marks a route or a controller with. */
const SKIP = 'THROTTLER:SKIPdefault';

/** A request that was counted. */
export interface CountedRequest extends AuthenticatedRequest {
  rateLimit?: RateLimitState;
}

/**
 * The throttler's guard with a token bucket for each caller instead of a window for each route. It stands
 * behind the guard that finds out who calls and before every guard that may refuse: each answer that a known
 * caller gets is counted and carries the headers, refusals too.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  private readonly skipped = new WeakMap<object, boolean>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {
    super(options, storage, reflector);
  }

  /**
   * Asked once a request: of the throttler's decorators only `@SkipThrottle()` has a meaning here, and the others would
   * be looked up for every request. Public routes have no caller to count, and messages of sockets are counted by their gateway.
   * @throws RateLimitError when the caller's bucket is empty
   */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http' || this.isSkipped(context)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const { principal } = request;
    if (principal === undefined) {
      if (routeAccess(context.getHandler())?.kind === 'public') return true;
      throw new Error('RateLimitGuard stands before the guard that finds out who calls.');
    }
    const taken = this.limiter.take(principal);
    const state = taken instanceof Promise ? await taken : taken;
    request.rateLimit = state;
    const response = http.getResponse<ServerResponse>();
    for (const [name, value] of rateLimitHeaders(state)) response.setHeader(name, value);
    if (!state.allowed) throw new RateLimitError(retryAfterSeconds(state));
    return true;
  }

  private isSkipped(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let skipped = this.skipped.get(handler);
    if (skipped === undefined) {
      skipped = this.reflector.getAllAndOverride(SKIP, [handler, context.getClass()]) === true;
      this.skipped.set(handler, skipped);
    }
    return skipped;
  }
}
