import { WorkflowExecutions } from './workflow-executions.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { NodesModule } from '../nodes/index.js';
import { ProjectsModule } from '../projects/index.js';
import { PlanCache } from './plan-cache.js';
import { WorkflowAnswers } from './workflow-answers.js';
import { WorkflowDocuments } from './workflow-documents.js';
import { WorkflowHeads } from './workflow-heads.js';
import { WaitWarnings } from './wait-warnings.js';
import { WorkflowWarnings } from './workflow-warnings.js';
import { WorkflowEntity, WorkflowVersionEntity } from './workflow.entity.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsRepository } from './workflows.repository.js';
import { WorkflowsService } from './workflows.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WorkflowEntity, WorkflowVersionEntity]),
    AuditModule,
    NodesModule,
    ProjectsModule,
    ExecutionStoreModule,
    IdempotencyModule,
    StorageModule,
  ],
  controllers: [WorkflowsController],
  providers: [
    WorkflowExecutions,
    PlanCache,
    WorkflowAnswers,
    WorkflowDocuments,
    WaitWarnings,
    WorkflowHeads,
    WorkflowsRepository,
    WorkflowsService,
    WorkflowWarnings,
  ],
  exports: [PlanCache, WorkflowHeads, WorkflowsService, WorkflowWarnings],
})
export class WorkflowsModule {}
