import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { ExecutionsModule } from '../executions/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { InstancesModule } from '../instances/index.js';
import { StorageModule } from '../storage/index.js';
import { TeamsModule } from '../teams/index.js';
import { BulkJobEntity } from './bulk-job.entity.js';
import { BulkJobsController } from './bulk-jobs.controller.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { BulkJobsRunner } from './bulk-jobs.runner.js';
import { BulkJobsService } from './bulk-jobs.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BulkJobEntity]),
    AuditModule,
    ExecutionsModule,
    IdempotencyModule,
    InstancesModule,
    StorageModule,
    TeamsModule,
  ],
  controllers: [BulkJobsController],
  providers: [BulkJobsRepository, BulkJobsRunner, BulkJobsService],
})
export class BulkJobsModule {}
