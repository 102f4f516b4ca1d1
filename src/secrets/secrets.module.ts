import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
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
import { SecretStoreModule } from './secret-store.module.js';
import { SecretUsers } from './secret-users.js';
import { SecretUses } from './secret-uses.js';
import { Secrets } from './secrets.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsService } from './secrets.service.js';
import { WorkflowSecrets } from './workflow-secrets.js';

/** Manages the secrets of projects. A secret is a credential whose value is stored encrypted. */
@Module({
  imports: [
    AuditModule,
    DiscoveryModule,
    EncryptionModule,
    ExecutionRunnerModule,
    IdempotencyModule,
    NodesModule,
    ProjectsModule,
    SecretStoreModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [SecretsController],
  providers: [
    DatabaseSecrets,
    ResolvedValues,
    SecretProviders,
    Secrets,
    SecretsService,
    SecretUsers,
    SecretUses,
    WorkflowSecrets,
  ],
  exports: [Secrets, SecretsService, SecretUsers],
})
export class SecretsModule {}
