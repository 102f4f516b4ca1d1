import { EffectGuard } from './effect-guard.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../storage/index.js';
import { InstanceEntity } from './instance.entity.js';
import { InstanceRegistry } from './instance-registry.js';
import { InstanceRepository } from './instance.repository.js';

/** The processes on a database, and which of them are alive. */
@Module({
  imports: [TypeOrmModule.forFeature([InstanceEntity]), StorageModule],
  providers: [EffectGuard, InstanceRegistry, InstanceRepository],
  exports: [EffectGuard, InstanceRegistry, InstanceRepository],
})
export class InstancesModule {}
