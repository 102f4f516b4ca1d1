import type { ServerResponse } from 'node:http';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import { AddressRanges, type AuthenticatedRequest, requestAddress, routeAccess } from '../access/index.js';
import { RateLimitError } from '../errors/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { rateLimitHeaders, retryAfterSeconds } from './rate-limit.headers.js';
import { RateLimiter, type RateLimitState } from './rate-limiter.js';

/**
 * Throttler limit of routes without `@Throttle`. No caller can reach this number, so only the caller's plan limits
 * these routes.
 */
export const PLAN_ONLY = Number.MAX_SAFE_INTEGER;

const THROTTLER_KEYS = 'THROTTLER:';

/** A request with the state of the caller's rate limit, which `RateLimitGuard` sets. */
export interface CountedRequest extends AuthenticatedRequest {
  rateLimit?: RateLimitState;
}

/**
 * Limits HTTP requests by the caller's rate-limit plan. All routes share one token bucket for each caller. `@Throttle`
 * adds a limit to a route, and `@SkipThrottle` exempts a route.
 *
 * The guard runs right after authentication, so that requests which later guards refuse also count.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  private readonly trustedProxies: AddressRanges;
  /**
   * Whether a route has a throttler decorator. The result is cached, because reading the metadata would take about 3 %
   * of the time of a short request.
   */
  private readonly decorated = new WeakMap<object, WeakMap<object, boolean>>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly limiter: RateLimiter,
    @Inject(SETTINGS) settings: Settings,
  ) {
    super(options, storage, reflector);
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  /** @throws RateLimitError when the caller's bucket is empty, or the route's limit is reached */
  override canActivate(context: ExecutionContext): Promise<boolean> {
    // This guard does not count WebSocket messages, because WebSocket gateways limit these messages
    // themselves.
    if (context.getType() !== 'http') return Promise.resolve(true);
    return this.isDecorated(context) ? super.canActivate(context) : this.takeFromPlan(context);
  }

  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    await this.takeFromPlan(request.context);
    return request.limit === PLAN_ONLY || super.handleRequest(request);
  }

  /**
   * Returns the key under which `@Throttle` counts a request: the API key, the signed-in user, or the client address.
   */
  protected override getTracker(request: Request & AuthenticatedRequest): Promise<string> {
    const { principal } = request;
    return Promise.resolve(
      principal === undefined
        ? requestAddress(request, this.trustedProxies)
        : (principal.keyId ?? principal.userId),
    );
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    return Promise.reject(new RateLimitError(Math.max(1, timeToBlockExpire)));
  }

  private isDecorated(context: ExecutionContext): boolean {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const known = this.decorated.get(controller)?.get(handler);
    if (known !== undefined) return known;
    const isDecorated = [handler, controller].some((target) =>
      Reflect.getMetadataKeys(target).some((key) => String(key).startsWith(THROTTLER_KEYS)),
    );
    const ofController = this.decorated.get(controller) ?? new WeakMap<object, boolean>();
    this.decorated.set(controller, ofController.set(handler, isDecorated));
    return isDecorated;
  }

  /**
   * Takes one request from the caller's token bucket. Unauthenticated requests to public routes have no plan and are
   * not counted.
   */
  private async takeFromPlan(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const { principal } = request;
    if (principal === undefined) {
      if (routeAccess(context.getHandler())?.kind === 'public') return true;
      throw new Error('RateLimitGuard must run after the guard that authenticates the caller.');
    }
    const taken = this.limiter.take(principal);
    const state = taken instanceof Promise ? await taken : taken;
    request.rateLimit = state;
    const response = http.getResponse<ServerResponse>();
    for (const [name, value] of rateLimitHeaders(state)) response.setHeader(name, value);
    if (!state.allowed) throw new RateLimitError(retryAfterSeconds(state));
    return true;
  }
}
