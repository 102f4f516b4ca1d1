import { NodeValues } from './node-values.js';
import { ApprovalsModule } from '../approvals/index.js';
import { InboxModule } from '../inbox/index.js';
import { Module } from '@nestjs/common';
import { ExecutionStartModule } from '../execution-start/index.js';
import { ExecutionSearchModule } from '../execution-search/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { ExecutionTotalsModule } from '../execution-totals/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { JournalModule } from '../journal/index.js';
import { SchemasAreTested } from '../nodes/index.js';
import { ProjectsModule } from '../projects/index.js';
import { SessionsModule } from '../sessions/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { BulkController } from './bulk/bulk.controller.js';
import { ExecutionsController } from './executions.controller.js';
import { ControlController } from './control/control.controller.js';
import { RetriesController } from './retry/retries.controller.js';
import { BulkActions } from './bulk/bulk-actions.js';
import { BulkService } from './bulk/bulk.service.js';
import { ControlService } from './control/control.service.js';
import { ExecutionSignals } from './control/execution-signals.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionsReader } from './executions.reader.js';
import { ExecutionsService } from './executions.service.js';
import { RetriesService } from './retry/retries.service.js';
import { SessionNode } from './session-node/session.node.js';

@SchemasAreTested()
@Module({
  imports: [
    InboxModule,
    ApprovalsModule,
    ExecutionStartModule,
    ExecutionSearchModule,
    ExecutionStoreModule,
    ExecutionTotalsModule,
    IdempotencyModule,
    JournalModule,
    ProjectsModule,
    SessionsModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [BulkController, ExecutionsController, ControlController, RetriesController],
  providers: [
    BulkActions,
    BulkService,
    ControlService,
    ExecutionSignals,
    ExecutionListRepository,
    ExecutionsReader,
    NodeValues,
    ExecutionsService,
    RetriesService,
    SessionNode,
  ],
  exports: [BulkActions, ExecutionSignals, ExecutionsReader],
})
export class ExecutionsModule {}
