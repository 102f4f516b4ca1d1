import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionModule } from '../encryption/index.js';
import { StorageModule } from '../storage/index.js';
import { SecretEntity } from './secret.entity.js';
import { SealedValuesRepository } from './sealed-values.repository.js';
import { SecretListsRepository } from './secret-lists.repository.js';
import { SecretRotation } from './secret-rotation.js';
import { SecretsRepository } from './secrets.repository.js';

/** Only the stored secrets, for the command line. */
@Module({
  imports: [TypeOrmModule.forFeature([SecretEntity]), EncryptionModule, StorageModule],
  providers: [SealedValuesRepository, SecretListsRepository, SecretRotation, SecretsRepository],
  exports: [SecretRotation, SecretsRepository],
})
export class SecretStoreModule {}
