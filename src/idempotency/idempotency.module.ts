import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyEntity } from './idempotency.entity.js';
import { Idempotency } from './idempotency.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyedRequests } from './keyed-requests.js';

@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyEntity]), StorageModule],
  providers: [Idempotency, IdempotencyInterceptor, IdempotencyRepository, KeyedRequests],
  exports: [Idempotency, IdempotencyInterceptor, KeyedRequests],
})
export class IdempotencyModule {}
