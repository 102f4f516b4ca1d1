import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency.repository.js';

@Global()
@Module({
  providers: [Idempotency, IdempotencyInterceptor, IdempotencyRepository],
  exports: [Idempotency, IdempotencyInterceptor],
})
export class IdempotencyModule {}
