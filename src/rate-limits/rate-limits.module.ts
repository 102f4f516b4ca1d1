import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { REDIS, type RedisLink, RedisModule } from '../redis/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { FailedAuthLimiter } from './failed-auth-limiter.js';
import { MemoryRateLimitStore } from './memory.store.js';
import { RateLimitPlans } from './plans.js';
import { RateLimitStore } from './rate-limit.store.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitsController } from './rate-limits.controller.js';
import { RedisRateLimitStore } from './redis.store.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** One throttler, so that the guard counts a request once; how much is allowed is the caller's plan's to say. */
const THROTTLER: ThrottlerModuleOptions = [{ limit: 1, ttl: 60_000 }];

@Module({
  imports: [ThrottlerModule.forRoot(THROTTLER), RedisModule],
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
  // The guard is registered by the composer and asks for the limiter.
  exports: [RateLimitPlans, FailedAuthLimiter, RateLimiter, SignInThrottle],
})
export class RateLimitsModule {}
