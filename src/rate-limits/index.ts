export { FailedAuthLimiter } from './failed-auth-limiter.js';
export { defaultPlan, RateLimitPlans } from './plans.js';
export { networkOf } from './network.js';
export { RateLimitGuard } from './rate-limit.guard.js';
export { RateLimiter } from './rate-limiter.js';
export { retryAfterSeconds } from './rate-limit.headers.js';
export { RateLimitsModule } from './rate-limits.module.js';
export { SignInThrottle } from './sign-in-throttle.js';
