import { BackgroundCancellation } from './cancellation/background-cancellation.js';
import { CancellationJobRepository } from './cancellation/cancellation-job.repository.js';
import { CancellationJobEntity } from './cancellation/cancellation-job.entity.js';
import { InstancesModule } from '../instances/index.js';
import { ExecutionAdmissionEntity } from './admission/admission.entity.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { ExecutionEntity } from './execution.entity.js';

import { MessageEntity } from './inbox/message.entity.js';
import { SharedSecretEntity } from './secret/shared-secret.entity.js';
import { AdmissionRepository } from './admission/admission.repository.js';
import { Cancellation } from './cancellation.js';
import { Completion } from './completion.js';
import { ExecutionLookupRepository } from './execution-lookup.repository.js';
import { ExecutionRepository } from './execution.repository.js';
import { Inbox } from './inbox/inbox.js';
import { MessageRepository } from './inbox/message.repository.js';
import { ProjectExecutions } from './project-executions.js';
import { ReachableExecutions } from './reachable-executions.js';
import { SharedSecretRepository } from './secret/shared-secret.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** Executions as rows: written, found, cancelled and waited for, whoever runs them. */
@Module({
  imports: [
    InstancesModule,
    TypeOrmModule.forFeature([
      ExecutionEntity,
      ExecutionAdmissionEntity,
      MessageEntity,
      SharedSecretEntity,
      CancellationJobEntity,
    ]),
    JournalModule,
    ProjectsModule,
    StorageModule,
  ],
  providers: [
    BackgroundCancellation,
    CancellationJobRepository,
    AdmissionRepository,
    Cancellation,
    Completion,
    ExecutionLookupRepository,
    ExecutionRepository,
    Inbox,
    MessageRepository,
    ProjectExecutions,
    ReachableExecutions,
    SharedSecretRepository,
    UnfinishedExecutions,
  ],
  exports: [
    BackgroundCancellation,
    CancellationJobRepository,
    AdmissionRepository,
    Cancellation,
    Completion,
    ExecutionLookupRepository,
    ExecutionRepository,
    Inbox,
    MessageRepository,
    ReachableExecutions,
    SharedSecretRepository,
    UnfinishedExecutions,
  ],
})
export class ExecutionStoreModule {}
