import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessEpoch } from './access-epoch.js';
import { AccessEpochEntity } from './access-epoch.entity.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccessEpochEntity]), StorageModule],
  providers: [AccessEpoch, AccessEpochRepository],
  exports: [AccessEpoch],
})
export class AccessModule {}
