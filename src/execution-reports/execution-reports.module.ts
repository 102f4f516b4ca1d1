import { InstancesModule } from '../instances/index.js';
import { AdmissionModule } from '../admission/index.js';
import { Module } from '@nestjs/common';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { ExecutionTotalsModule } from '../execution-totals/index.js';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { StatsController } from './stats/stats.controller.js';
import { ExplainController } from './explain/explain.controller.js';
import { QueueController } from './queue/queue.controller.js';
import { UsageController } from './stats/usage.controller.js';
import { Explanations } from './explain/explanations.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { QueuePositions } from './explain/queue-position.js';
import { QueueRepository } from './queue/queue.repository.js';
import { QueueService } from './queue/queue.service.js';
import { StatsRepository } from './stats/stats.repository.js';
import { StatsService } from './stats/stats.service.js';
import { CommitLatency } from './system/commit-latency.js';
import { SystemController } from './system/system.controller.js';
import { SystemRepository } from './system/system.repository.js';
import { SystemService } from './system/system.service.js';

/** Reads what executions came to: statistics, the queue, why one does not move, and how the service is. */
@Module({
  imports: [
    AdmissionModule,
    InstancesModule,
    ExecutionRunnerModule,
    ExecutionStoreModule,
    ExecutionTotalsModule,
    JournalModule,
    ProjectsModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [StatsController, ExplainController, QueueController, SystemController, UsageController],
  providers: [
    CommitLatency,
    Explanations,
    ExplainRepository,
    QueuePositions,
    QueueRepository,
    QueueService,
    StatsRepository,
    StatsService,
    SystemRepository,
    SystemService,
  ],
})
export class ExecutionReportsModule {}
