import { AccessModule } from '../access/index.js';
import { InboxModule } from '../inbox/index.js';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { UsersModule } from '../users/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ApprovalExecutions } from './approval-executions.js';
import { ApprovalLinkMaker } from './approval-link.maker.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsService } from './approvals.service.js';
import { Approvers } from './approvers.js';
import { SignalledApprovals } from './signalled-approvals.js';
import { SignedApprovalsController } from './signed-approvals.controller.js';

@Module({
  imports: [
    AccessModule,
    InboxModule,
    AuditModule,
    ExecutionRunnerModule,
    ExecutionStoreModule,
    JournalModule,
    ProjectsModule,
    UsersModule,
    WorkflowsModule,
  ],
  controllers: [ApprovalsController, SignedApprovalsController],
  providers: [ApprovalExecutions, ApprovalLinkMaker, ApprovalsService, Approvers, SignalledApprovals],
  exports: [SignalledApprovals],
})
export class ApprovalsModule {}
