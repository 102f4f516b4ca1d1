import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions, ThrottlerStorageService } from '@nestjs/throttler';
import { REDIS, type RedisLink, RedisModule } from '../redis/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { FailedAuthLimiter } from './failed-auth-limiter.js';
import { MemoryRateLimitStore } from './memory.store.js';
import { RateLimitPlans } from './plans.js';
import { PLAN_ONLY } from './rate-limit.guard.js';
import { RateLimitStore } from './rate-limit.store.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitsController } from './rate-limits.controller.js';
import { RedisRateLimitStore } from './redis.store.js';
import { RedisThrottlerStorage } from './redis.throttler-storage.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** Default window (`ttl`) of `@Throttle`, in milliseconds. */
const DEFAULT_TTL_MS = 60_000;

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      imports: [RedisModule],
      inject: [REDIS],
      useFactory: (redis: RedisLink | null): ThrottlerModuleOptions => {
        const memory = new ThrottlerStorageService();
        return {
          // There is exactly one throttler, because `RateLimitGuard` would count a request once for each throttler.
          throttlers: [{ limit: PLAN_ONLY, ttl: DEFAULT_TTL_MS }],
          storage: redis === null ? memory : new RedisThrottlerStorage(redis, memory),
          // The throttler sends no headers, because `RateLimitGuard` sends rate-limit headers with the limits
          // of the plan.
          setHeaders: false,
        };
      },
    }),
    RedisModule,
  ],
  controllers: [RateLimitsController],
  providers: [
    FailedAuthLimiter,
    RateLimiter,
    SignInThrottle,
    {
      provide: RateLimitPlans,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new RateLimitPlans(settings),
    },
    {
      provide: RateLimitStore,
      inject: [REDIS],
      useFactory: (redis: RedisLink | null) => {
        const memory = new MemoryRateLimitStore();
        return redis === null ? memory : new RedisRateLimitStore(redis, memory);
      },
    },
  ],
  // These providers are exported, because the root module registers `RateLimitGuard` globally and the guard needs them.
  exports: [RateLimitPlans, FailedAuthLimiter, RateLimiter, SignInThrottle],
})
export class RateLimitsModule {}
