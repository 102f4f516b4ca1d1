import { availableParallelism } from 'node:os';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CLOCK, type Clock } from '../platform/index.js';
import { DIALECT, type Dialect, Notices, REDIS, type RedisLink, RedisModule } from '../storage/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { NodesModule } from '../nodes/index.js';
import { AuditModule } from '../audit/index.js';
import { UsersModule } from '../users/index.js';
import { ProjectsModule } from '../projects/index.js';
import { SessionExecutions, SessionsModule } from '../sessions/index.js';
import { WorkflowExecutions, WorkflowsModule } from '../workflows/index.js';
import { Admission, ChildStarter, Deduplication, ExecutionStarts } from '../execution-start/index.js';
import {
  AdmissionRepository,
  Cancellation,
  Completion,
  ExecutionRepository,
  Inbox,
  MessageRepository,
  SharedSecretRepository,
} from '../execution-store/index.js';
import { BulkController } from './bulk/bulk.controller.js';
import { BulkService } from './bulk/bulk.service.js';
import { ApprovalExecutions } from './approvals/approval-executions.js';
import { SignedApprovalsController } from './approvals/signed-approvals.controller.js';
import { Approvers } from './approvals/approvers.js';
import { ApprovalLinkMaker } from './approvals/approval-link.maker.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { ControlController } from './control/control.controller.js';
import { ControlService } from './control/control.service.js';
import {
  Dispatcher,
  BullWorkSignal,
  InProcessDispatcher,
  NoticesWorkSignal,
  RedisStartOffers,
  NoStartOffers,
  StartOffers,
  NoWorkSignal,
  WorkSignal,
  ClaimsRepository,
  InboxLook,
  InstanceRegistry,
  InstanceRepository,
  Recovery,
  Consequences,
  CrashQuarantine,
  RunLoop,
} from '../execution-runner/index.js';
import { EXECUTION_ENTITIES } from './entities.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionsController } from './executions.controller.js';
import { ExecutionsReader } from './executions.reader.js';
import { ExecutionsService } from './executions.service.js';
import {
  ExplainController,
  ExplainRepository,
  Explanations,
  QueueController,
  QueueRepository,
  QueueService,
  StatsController,
  StatsRepository,
  StatsService,
  UsageController,
} from '../execution-reports/index.js';
import { ExecutionLimits } from './limits/execution-limits.js';
import { LimitsRepository } from './limits/limits.repository.js';
import { ProjectExecutions } from './project-executions.js';
import { RetriesController } from './retry/retries.controller.js';
import { RetriesService } from './retry/retries.service.js';
import { RunMemory } from './memory/run-memory.js';
import { RunResources } from './memory/run-resources.js';
import { NodeValues } from './node-values.js';
import { ExecutionsOfSessions } from './session-executions.adapter.js';
import { SessionNode } from './session-node/session.node.js';
import { CachingRunner, ResultCache, ResultRepository } from '../node-results/index.js';
import { ChoreRepository, Retention, Trimmer } from '../retention/index.js';
import { ExecutionCountRepository, TotalsKeeper, TotalsRepository } from '../execution-totals/index.js';
import { BackgroundCancellation } from './trees/background-cancellation.js';
import { CancellationJobRepository } from './trees/cancellation-job.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';
import { ExecutionsOfWorkflows } from './workflow-executions.adapter.js';

/** Global, since workflows and sessions, which stand below, ask it about their executions through ports of theirs. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([...EXECUTION_ENTITIES]),
    AuditModule,
    NodesModule,
    ProjectsModule,
    RedisModule,
    SessionsModule,
    UsersModule,
    WorkflowsModule,
  ],
  // Some paths begin as those of single executions do: these are asked first.
  controllers: [
    // Before the one that reads `executions/:id`.
    BulkController,
    StatsController,
    ExecutionsController,
    ApprovalsController,
    SignedApprovalsController,
    ControlController,
    ExplainController,
    QueueController,
    RetriesController,
    UsageController,
  ],
  providers: [
    Admission,
    AdmissionRepository,
    ApprovalExecutions,
    ApprovalLinkMaker,
    Approvers,
    ApprovalsService,
    BackgroundCancellation,
    BulkService,
    CachingRunner,
    Cancellation,
    CancellationJobRepository,
    ChildStarter,
    ChoreRepository,
    Completion,
    Consequences,
    ControlService,
    Deduplication,
    ExecutionCountRepository,
    ExecutionLimits,
    ExecutionListRepository,
    LimitsRepository,
    ClaimsRepository,
    ExecutionRepository,
    ExecutionStarts,
    ExecutionsReader,
    ExecutionsService,
    Explanations,
    ExplainRepository,
    Inbox,
    InboxLook,
    InProcessDispatcher,
    InstanceRegistry,
    InstanceRepository,
    MessageRepository,
    NodeValues,
    QueueRepository,
    QueueService,
    ProjectExecutions,
    Recovery,
    ResultCache,
    ResultRepository,
    Retention,
    RetriesService,
    RunLoop,
    RunMemory,
    RunResources,
    SessionNode,
    SharedSecretRepository,
    StatsRepository,
    StatsService,
    TotalsKeeper,
    TotalsRepository,
    Trimmer,
    UnfinishedExecutions,
    {
      provide: CrashQuarantine,
      inject: [SETTINGS],
      useFactory: ({ MAX_RECOVERIES }: Settings) =>
        new CrashQuarantine(MAX_RECOVERIES, availableParallelism()),
    },
    { provide: Dispatcher, useExisting: InProcessDispatcher },
    {
      provide: WorkSignal,
      inject: [DIALECT, Notices, REDIS],
      useFactory: async (
        dialect: Dialect,
        notices: Notices,
        redis: RedisLink | null,
      ): Promise<WorkSignal> => {
        if (dialect === 'sqlite') return new NoWorkSignal();
        const byDatabase = new NoticesWorkSignal(notices);
        return redis === null ? byDatabase : BullWorkSignal.open(redis, byDatabase);
      },
    },
    {
      provide: StartOffers,
      inject: [DIALECT, REDIS, SharedSecretRepository, InstanceRegistry, CLOCK],
      useFactory: (
        dialect: Dialect,
        redis: RedisLink | null,
        secrets: SharedSecretRepository,
        instance: InstanceRegistry,
        clock: Clock,
      ): StartOffers =>
        dialect === 'sqlite' || redis === null
          ? new NoStartOffers()
          : new RedisStartOffers(redis, () => secrets.ensure(), instance, clock),
    },
    { provide: SessionExecutions, useClass: ExecutionsOfSessions },
    { provide: WorkflowExecutions, useClass: ExecutionsOfWorkflows },
  ],
  exports: [Dispatcher, ExecutionsReader, ExecutionsService, SessionExecutions, WorkflowExecutions],
})
export class ExecutionsModule {}
