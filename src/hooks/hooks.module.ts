import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { ExecutionStartModule } from '../execution-start/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { ExecutionsModule } from '../executions/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { ProjectsModule } from '../projects/index.js';
import { RateLimitsModule } from '../rate-limits/index.js';
import { SecretsModule } from '../secrets/index.js';
import { StorageModule } from '../storage/index.js';
import { TeamsModule } from '../teams/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryResponses } from './delivery-responses.js';
import { HookDeliveryEntity } from './delivery.entity.js';
import { HookActions } from './hook-actions.js';
import { HookAddress } from './hook-address.js';
import { HookAdmission } from './hook-admission.js';
import { HookChecks } from './hook-checks.js';
import { HookOutputs } from './hook-outputs.js';
import { HookReceiver } from './hook-receiver.js';
import { HookSecretUsers } from './hook-secret-users.js';
import { HookTestsController } from './hook-tests.controller.js';
import { HookTokenEntity } from './hook-token.entity.js';
import { HookVerification } from './hook-verification.js';
import { HookEntity } from './hook.entity.js';
import { HooksController } from './hooks.controller.js';
import { HooksRepository } from './hooks.repository.js';
import { HooksService } from './hooks.service.js';
import { OldDeliveries } from './old-deliveries.js';
import { ReceivedHooksController } from './received-hooks.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([HookDeliveryEntity, HookEntity, HookTokenEntity]),
    AuditModule,
    ExecutionStartModule,
    ExecutionStoreModule,
    ExecutionsModule,
    IdempotencyModule,
    ProjectsModule,
    RateLimitsModule,
    SecretsModule,
    StorageModule,
    TeamsModule,
    WorkflowsModule,
  ],
  controllers: [HooksController, HookTestsController, ReceivedHooksController],
  providers: [
    DeliveriesRepository,
    DeliveryLog,
    DeliveryResponses,
    HookActions,
    HookAddress,
    HookAdmission,
    HookChecks,
    HookOutputs,
    HookReceiver,
    HookSecretUsers,
    HookVerification,
    HooksRepository,
    HooksService,
    OldDeliveries,
  ],
  exports: [HooksService],
})
export class HooksModule {}
