import { InstancesModule } from '../instances/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { StorageModule } from '../storage/index.js';
import { ResultEntity } from './result.entity.js';
import { CachingRunner } from './caching-runner.js';
import { ResultCache } from './result-cache.js';
import { ResultRepository } from './result.repository.js';

@Module({
  imports: [InstancesModule, TypeOrmModule.forFeature([ResultEntity]), ExecutionRunnerModule, StorageModule],
  providers: [CachingRunner, ResultCache, ResultRepository],
  exports: [ResultRepository],
})
export class NodeResultsModule {}
