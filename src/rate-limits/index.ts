export { FailedAuthLimiter } from './failed-auth-limiter.js';
export { MemoryRateLimitStore } from './memory.store.js';
export { defaultPlan, RateLimitPlans } from './plans.js';
export { RateLimitGuard } from './rate-limit.guard.js';
export { RateLimitStore } from './rate-limit.store.js';
export { RedisRateLimitStore } from './redis.store.js';
export { RateLimitsModule } from './rate-limits.module.js';
export { SignInThrottle } from './sign-in-throttle.js';
export { type BucketLimits, type TakeResult } from './token-bucket.js';
