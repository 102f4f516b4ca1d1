import { RunMemory, RunResources } from '../run-memory/index.js';
import { availableParallelism } from 'node:os';
import { CrashQuarantine } from './run-loop/crash-quarantine.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { InstanceRegistry, InstancesModule } from '../instances/index.js';
import { InboxModule } from '../inbox/index.js';
import { Module } from '@nestjs/common';
import { DIALECT, type Dialect, Notifications, StorageModule } from '../storage/index.js';
import { WorkNotifier, NoWorkNotifier } from './dispatch/work-notifier.ts';
import { RotatingWorkNotifier } from './dispatch/rotating.work-notifier.ts';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { JournalModule } from '../journal/index.js';
import { NodesModule } from '../nodes/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ApprovalLinksPort } from './ports/approval-links.port.js';
import { CachingRunnerPort } from './ports/caching-runner.port.js';
import { ChildExecutionsPort } from './ports/child-executions.port.js';
import { SecretResolverPort } from './ports/secret-resolver.port.js';
import { ClaimsRepository } from './dispatch/claims.repository.js';
import { ExecutionEffects } from './run-loop/execution-effects.ts';
import { InboxSweeper } from './recovery/inbox-sweeper.ts';
import { InProcessDispatcher } from './dispatch/in-process.dispatcher.js';
import { NodeRunner } from './run-loop/node-runner.js';
import { Recovery } from './recovery/recovery.js';
import { RunLoop } from './run-loop/run-loop.js';
import { StateLoader } from './run-loop/state-loader.js';
import { Dispatcher } from './dispatch/dispatcher.js';

/** Claims executions under a lease, runs them, and takes over the executions of crashed processes. */
@Module({
  imports: [
    InboxModule,
    InstancesModule,
    ExecutionStoreModule,
    JournalModule,
    NodesModule,
    SessionsModule,
    StorageModule,
    WorkflowsModule,
  ],
  providers: [
    RunMemory,
    RunResources,
    ApprovalLinksPort,
    CachingRunnerPort,
    ChildExecutionsPort,
    ClaimsRepository,
    ExecutionEffects,
    InboxSweeper,
    InProcessDispatcher,
    NodeRunner,
    Recovery,
    RunLoop,
    SecretResolverPort,
    StateLoader,
    {
      provide: CrashQuarantine,
      inject: [SETTINGS],
      useFactory: ({ MAX_RECOVERIES }: Settings) =>
        new CrashQuarantine(MAX_RECOVERIES, availableParallelism()),
    },
    { provide: Dispatcher, useExisting: InProcessDispatcher },
    {
      provide: WorkNotifier,
      inject: [DIALECT, Notifications, InstanceRegistry],
      useFactory: (dialect: Dialect, notices: Notifications, instances: InstanceRegistry): WorkNotifier =>
        dialect === 'sqlite' ? new NoWorkNotifier() : new RotatingWorkNotifier(notices, instances),
    },
  ],
  exports: [
    RunMemory,
    RunResources,
    CrashQuarantine,
    ApprovalLinksPort,
    CachingRunnerPort,
    ChildExecutionsPort,
    ClaimsRepository,
    Dispatcher,
    NodeRunner,
    RunLoop,
    SecretResolverPort,
  ],
})
export class ExecutionRunnerModule {}
