import { ExecutionLimits } from './limits/execution-limits.js';
import { LimitsRepository } from './limits/limits.repository.js';
import { AdmissionModule } from '../admission/index.js';
import { Module } from '@nestjs/common';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { SessionsModule } from '../sessions/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { Admission } from './admission.js';
import { ChildStarter } from './child-starter.js';
import { Deduplication } from './deduplication.js';
import { ExecutionStarts } from './execution-starts.js';
import { StartChecks } from './start-checks.js';
import { TriggeredStarts } from './triggered-starts.js';

@Module({
  imports: [
    AdmissionModule,
    ExecutionRunnerModule,
    ExecutionStoreModule,
    IdempotencyModule,
    SessionsModule,
    StorageModule,
    WorkflowsModule,
  ],
  providers: [
    ExecutionLimits,
    LimitsRepository,
    Admission,
    ChildStarter,
    Deduplication,
    ExecutionStarts,
    StartChecks,
    TriggeredStarts,
  ],
  exports: [Deduplication, ExecutionStarts, StartChecks, TriggeredStarts],
})
export class ExecutionStartModule {}
