import { availableParallelism } from 'node:os';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  CLOCK,
  type Clock,
  DIALECT,
  type Dialect,
  Notices,
  REDIS,
  type RedisLink,
  RedisModule,
  SETTINGS,
  type Settings,
} from '../platform/index.js';
import { NodesModule } from '../nodes/index.js';
import { AuditModule } from '../audit/index.js';
import { UsersModule } from '../users/index.js';
import { ProjectsModule } from '../projects/index.js';
import { SessionExecutions, SessionsModule } from '../sessions/index.js';
import { WorkflowExecutions, WorkflowsModule } from '../workflows/index.js';
import { Admission } from './admission/admission.js';
import { AdmissionRepository } from './admission/admission.repository.js';
import { BulkController } from './bulk/bulk.controller.js';
import { BulkService } from './bulk/bulk.service.js';
import { ApprovalExecutions } from './approvals/approval-executions.js';
import { SignedApprovalsController } from './approvals/signed-approvals.controller.js';
import { Approvers } from './approvals/approvers.js';
import { ApprovalLinkMaker } from './approvals/approval-link.maker.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { Cancellation } from './cancellation.js';
import { ChildStarter } from './children/child-starter.js';
import { Completion } from './completion.js';
import { Deduplication } from './deduplication.js';
import { ControlController } from './control/control.controller.js';
import { ControlService } from './control/control.service.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { BullWorkSignal } from './dispatch/bull.work-signal.js';
import { InProcessDispatcher } from './dispatch/in-process.dispatcher.js';
import { NoticesWorkSignal } from './dispatch/notices.work-signal.js';
import { RedisStartOffers } from './dispatch/redis.start-offers.js';
import { NoStartOffers, StartOffers } from './dispatch/start-offers.js';
import { NoWorkSignal, WorkSignal } from './dispatch/work-signal.js';
import { EXECUTION_ENTITIES } from './entities.js';
import { ClaimsRepository } from './dispatch/claims.repository.js';
import { ExecutionRepository } from './execution.repository.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionStarts } from './execution-starts.js';
import { ExecutionsController } from './executions.controller.js';
import { ExecutionsReader } from './executions.reader.js';
import { ExecutionsService } from './executions.service.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { Explanations } from './explain/explanations.js';
import { Inbox } from './inbox/inbox.js';
import { InboxLook } from './inbox/inbox-look.js';
import { MessageRepository } from './inbox/message.repository.js';
import { ExecutionLimits } from './limits/execution-limits.js';
import { LimitsRepository } from './limits/limits.repository.js';
import { InstanceRegistry } from './instances/instance-registry.js';
import { InstanceRepository } from './instances/instance.repository.js';
import { QueueController } from './queue/queue.controller.js';
import { QueueRepository } from './queue/queue.repository.js';
import { QueueService } from './queue/queue.service.js';
import { ProjectExecutions } from './project-executions.js';
import { Recovery } from './recovery/recovery.js';
import { RetriesController } from './retry/retries.controller.js';
import { RetriesService } from './retry/retries.service.js';
import { RunMemory } from './memory/run-memory.js';
import { RunResources } from './memory/run-resources.js';
import { NodeValues } from './node-values.js';
import { Consequences } from './run-loop/consequences.js';
import { CrashQuarantine } from './run-loop/crash-quarantine.js';
import { RunLoop } from './run-loop/run-loop.js';
import { ExecutionsOfSessions } from './session-executions.adapter.js';
import { SessionNode } from './session-node/session.node.js';
import { CachingRunner } from './results/caching-runner.js';
import { ResultCache } from './results/result-cache.js';
import { ResultRepository } from './results/result.repository.js';
import { ChoreRepository } from './retention/chore.repository.js';
import { Retention } from './retention/retention.js';
import { Trimmer } from './retention/trimmer.js';
import { SharedSecretRepository } from './secret/shared-secret.repository.js';
import { StatsController } from './stats/stats.controller.js';
import { StatsRepository } from './stats/stats.repository.js';
import { StatsService } from './stats/stats.service.js';
import { UsageController } from './stats/usage.controller.js';
import { ExecutionCountRepository } from './totals/execution-count.repository.js';
import { TotalsKeeper } from './totals/totals-keeper.js';
import { TotalsRepository } from './totals/totals.repository.js';
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
