import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { TeamsModule } from '../teams/index.js';
import { UsersModule } from '../users/index.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyRevocations } from './key-revocations.js';
import { KeyUsage } from './key-usage.js';
import { KeyVerifier } from './key-verifier.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity]), UsersModule, TeamsModule, ProjectsModule],
  providers: [KeyRevocations, KeysRepository, KeysService, KeyUsage, KeyVerifier, VerifiedKeyLoader],
  exports: [KeyRevocations, KeysService, KeyUsage, KeyVerifier],
})
export class KeysModule {}
