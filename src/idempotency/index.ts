export { IdempotencyEntity } from './idempotency.entity.js';
export { Idempotent, type RepeatableRoute, TakesIdempotencyKey } from './idempotency.interceptor.js';
export { IdempotencyModule } from './idempotency.module.js';
export { Idempotency } from './idempotency.js';
export { KeyedRequests } from './keyed-requests.js';
