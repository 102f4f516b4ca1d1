import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessEpoch } from './access-epoch.js';
import { AccessEpochEntity } from './access-epoch.entity.js';
import { AccessEpochRepository } from './access-epoch.repository.js';
import { SharedSecretEntity } from './shared-secret.entity.js';
import { SharedSecretRepository } from './shared-secret.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccessEpochEntity, SharedSecretEntity]), StorageModule],
  providers: [AccessEpoch, AccessEpochRepository, SharedSecretRepository],
  exports: [AccessEpoch, SharedSecretRepository],
})
export class AccessModule {}
