export { IdempotencyEntity } from './idempotency.entity.js';
export { Idempotent, TakesIdempotencyKey } from './idempotency.interceptor.js';
export { IdempotencyModule } from './idempotency.module.js';
export { type Answer, Idempotency, type KeyClaim } from './idempotency.js';
export { KeyedAnswers } from './keyed-answers.js';
