import { EffectGuardModule } from './effect-guard.module.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../storage/index.js';
import { InstanceEntity } from './instance.entity.js';
import { InstanceRegistry } from './instance-registry.js';
import { InstanceRepository } from './instance.repository.js';

/** Tracks which processes use the database and whether each process is alive. */
@Module({
  imports: [EffectGuardModule, TypeOrmModule.forFeature([InstanceEntity]), StorageModule],
  providers: [InstanceRegistry, InstanceRepository],
  exports: [EffectGuardModule, InstanceRegistry, InstanceRepository],
})
export class InstancesModule {}
