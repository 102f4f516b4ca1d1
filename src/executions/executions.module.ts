import { NodeValues } from './node-values.js';
import { ApprovalExecutions } from './approvals/approval-executions.js';
import { Approvers } from './approvals/approvers.js';
import { SignalledApprovals } from './approvals/signalled-approvals.js';
import { SignedApprovalsController } from './approvals/signed-approvals.controller.js';
import { AuditModule } from '../audit/index.js';
import { UsersModule } from '../users/index.js';
import { Module } from '@nestjs/common';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { ExecutionStartModule } from '../execution-start/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { ExecutionTotalsModule } from '../execution-totals/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { SessionsModule } from '../sessions/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { BulkController } from './bulk/bulk.controller.js';
import { ExecutionsController } from './executions.controller.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ControlController } from './control/control.controller.js';
import { RetriesController } from './retry/retries.controller.js';
import { ApprovalLinkMaker } from './approvals/approval-link.maker.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { BulkService } from './bulk/bulk.service.js';
import { ControlService } from './control/control.service.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionsReader } from './executions.reader.js';
import { ExecutionsService } from './executions.service.js';
import { RetriesService } from './retry/retries.service.js';
import { SessionNode } from './session-node/session.node.js';

/** The REST resource: start, list, read, cancel, pause, signal, retry, approve. */
@Module({
  imports: [
    ExecutionRunnerModule,
    ExecutionStartModule,
    ExecutionStoreModule,
    ExecutionTotalsModule,
    IdempotencyModule,
    JournalModule,
    AuditModule,
    ProjectsModule,
    UsersModule,
    SessionsModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [
    BulkController,
    ExecutionsController,
    ApprovalsController,
    SignedApprovalsController,
    ControlController,
    RetriesController,
  ],
  providers: [
    ApprovalExecutions,
    ApprovalLinkMaker,
    Approvers,
    ApprovalsService,
    BulkService,
    ControlService,
    ExecutionListRepository,
    ExecutionsReader,
    NodeValues,
    ExecutionsService,
    RetriesService,
    SessionNode,
    SignalledApprovals,
  ],
})
export class ExecutionsModule {}
