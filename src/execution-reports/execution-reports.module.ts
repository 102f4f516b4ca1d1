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
import { FailuresController } from './failures/failures.controller.js';
import { FailuresRepository } from './failures/failures.repository.js';
import { FailuresService } from './failures/failures.service.js';
import { QueueController } from './queue/queue.controller.js';
import { UsageController } from './stats/usage.controller.js';
import { Explanations } from './explain/explanations.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { QueuePositions } from './explain/queue-position.js';
import { QueueRepository } from './queue/queue.repository.js';
import { QueueService } from './queue/queue.service.js';
import { StatsRepository } from './stats/stats.repository.js';
import { StatsService } from './stats/stats.service.js';

/** Reports on executions: statistics, failures, the state of the queue, and explanations of why an execution waits. */
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
  controllers: [FailuresController, StatsController, ExplainController, QueueController, UsageController],
  providers: [
    Explanations,
    ExplainRepository,
    FailuresRepository,
    FailuresService,
    QueuePositions,
    QueueRepository,
    QueueService,
    StatsRepository,
    StatsService,
  ],
  exports: [QueueRepository],
})
export class ExecutionReportsModule {}
