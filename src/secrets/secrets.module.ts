import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { EncryptionModule } from '../encryption/index.js';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { NodesModule } from '../nodes/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { DatabaseSecrets } from './providers/database-secrets.js';
import { SecretProviders } from './providers/secret-providers.js';
import { ResolvedValues } from './resolved-values.js';
import { SecretEntity } from './secret.entity.js';
import { SecretUsers } from './secret-users.js';
import { SecretUses } from './secret-uses.js';
import { Secrets } from './secrets.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsRepository } from './secrets.repository.js';
import { SecretsService } from './secrets.service.js';
import { WorkflowSecrets } from './workflow-secrets.js';

/** Credentials of projects, encrypted at rest. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SecretEntity]),
    AuditModule,
    DiscoveryModule,
    EncryptionModule,
    ExecutionRunnerModule,
    IdempotencyModule,
    NodesModule,
    ProjectsModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [SecretsController],
  providers: [
    DatabaseSecrets,
    ResolvedValues,
    SecretProviders,
    Secrets,
    SecretsRepository,
    SecretsService,
    SecretUsers,
    SecretUses,
    WorkflowSecrets,
  ],
  exports: [Secrets, SecretUsers],
})
export class SecretsModule {}
