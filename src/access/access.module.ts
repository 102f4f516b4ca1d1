import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessEpoch } from './access-epoch.js';
import { AccessEpochEntity } from './access-epoch.entity.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AccessEpochEntity])],
  providers: [AccessEpoch, AccessEpochRepository],
  exports: [AccessEpoch],
})
export class AccessModule {}
