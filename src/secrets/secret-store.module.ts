import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionModule } from '../encryption/index.js';
import { StorageModule } from '../storage/index.js';
import { SecretEntity } from './secret.entity.js';
import { SealedValuesRepository } from './sealed-values.repository.js';
import { SecretListsRepository } from './secret-lists.repository.js';
import { SecretRotation } from './secret-rotation.js';
import { SecretsRepository } from './secrets.repository.js';

/**
 * Provides access to stored secrets and to their re-encryption. The command line imports this module without the REST
 * API.
 */
@Module({
  imports: [TypeOrmModule.forFeature([SecretEntity]), EncryptionModule, StorageModule],
  providers: [SealedValuesRepository, SecretListsRepository, SecretRotation, SecretsRepository],
  exports: [SecretRotation, SecretsRepository],
})
export class SecretStoreModule {}
