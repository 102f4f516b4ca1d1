import type { ServerResponse } from 'node:http';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { type AuthenticatedRequest, ROUTE_ACCESS, type RouteAccess } from '../access/index.js';
import { RateLimitError } from '../platform/index.js';
import { rateLimitHeaders, retryAfterSeconds } from './rate-limit.headers.js';
import { RateLimiter, type RateLimitState } from './rate-limiter.js';

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
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {
    super(options, storage, reflector);
  }

  /** Public routes have no caller to count, and messages of sockets are counted by their gateway. */
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    if (context.switchToHttp().getRequest<CountedRequest>().principal !== undefined) return false;
    const access = this.reflector.get<RouteAccess | undefined>(ROUTE_ACCESS, context.getHandler());
    if (access?.kind === 'public') return true;
    throw new Error('RateLimitGuard stands before the guard that finds out who calls.');
  }

  /** @throws RateLimitError when the caller's bucket is empty */
  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    if (request.principal === undefined) return false;
    const taken = this.limiter.take(request.principal);
    const state = taken instanceof Promise ? await taken : taken;
    request.rateLimit = state;
    const response = http.getResponse<ServerResponse>();
    for (const [name, value] of rateLimitHeaders(state)) response.setHeader(name, value);
    if (!state.allowed) throw new RateLimitError(retryAfterSeconds(state));
    return true;
  }
}
