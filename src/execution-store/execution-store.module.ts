import { BackgroundCancellation } from './cancellation/background-cancellation.js';
import { CancellationJobRepository } from './cancellation/cancellation-job.repository.js';
import { CancellationJobEntity } from './cancellation/cancellation-job.entity.js';
import { InstancesModule } from '../instances/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { ExecutionEntity } from './execution.entity.js';

import { InboxModule } from '../inbox/index.js';
import { Cancellation } from './cancellation.js';
import { Completion } from './completion.js';
import { ExecutionLookupRepository } from './execution-lookup.repository.js';
import { ExecutionRepository } from './execution.repository.js';
import { ProjectExecutions } from './project-executions.js';
import { ReachableExecutions } from './reachable-executions.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** Stores executions, cancels them, and waits for their end, regardless of which process runs them. */
@Module({
  imports: [
    InboxModule,
    InstancesModule,
    TypeOrmModule.forFeature([ExecutionEntity, CancellationJobEntity]),
    JournalModule,
    ProjectsModule,
    StorageModule,
  ],
  providers: [
    BackgroundCancellation,
    CancellationJobRepository,
    Cancellation,
    Completion,
    ExecutionLookupRepository,
    ExecutionRepository,
    ProjectExecutions,
    ReachableExecutions,
    UnfinishedExecutions,
  ],
  exports: [
    BackgroundCancellation,
    CancellationJobRepository,
    Cancellation,
    Completion,
    ExecutionLookupRepository,
    ExecutionRepository,
    ReachableExecutions,
    UnfinishedExecutions,
  ],
})
export class ExecutionStoreModule {}
