import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyedAnswers } from './keyed-answers.js';

@Module({
  imports: [StorageModule],
  providers: [Idempotency, IdempotencyInterceptor, IdempotencyRepository, KeyedAnswers],
  exports: [Idempotency, IdempotencyInterceptor, KeyedAnswers],
})
export class IdempotencyModule {}
