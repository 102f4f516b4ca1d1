import { InstancesModule } from '../instances/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { ExecutionTotalsModule } from '../execution-totals/index.js';
import { NodeResultsModule } from '../node-results/index.js';
import { SessionsModule } from '../sessions/index.js';
import { StorageModule } from '../storage/index.js';
import { ChoreEntity } from './chore.entity.js';
import { ChoreRepository } from './chore.repository.js';
import { Retention } from './retention.js';
import { RetentionSweeper } from './retention-sweeper.ts';

/** Deletes executions and other data after their retention period. */
@Module({
  imports: [
    InstancesModule,
    TypeOrmModule.forFeature([ChoreEntity]),
    ExecutionRunnerModule,
    ExecutionTotalsModule,
    NodeResultsModule,
    SessionsModule,
    StorageModule,
  ],
  providers: [ChoreRepository, Retention, RetentionSweeper],
})
export class RetentionModule {}
