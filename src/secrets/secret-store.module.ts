import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionModule } from '../encryption/index.js';
import { StorageModule } from '../storage/index.js';
import { SecretEntity } from './secret.entity.js';
import { SealedValuesRepository } from './sealed-values.repository.js';
import { SecretRotation } from './secret-rotation.js';
import { SecretsRepository } from './secrets.repository.js';

/** The stored values alone, for the command line. */
@Module({
  imports: [TypeOrmModule.forFeature([SecretEntity]), EncryptionModule, StorageModule],
  providers: [SealedValuesRepository, SecretRotation, SecretsRepository],
  exports: [SecretRotation, SecretsRepository],
})
export class SecretStoreModule {}
