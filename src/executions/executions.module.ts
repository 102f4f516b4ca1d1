import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NodesModule } from '../nodes/index.js';
import { ProjectsModule } from '../projects/index.js';
import { SessionExecutions, SessionsModule } from '../sessions/index.js';
import { WorkflowExecutions, WorkflowsModule } from '../workflows/index.js';
import { Cancellation } from './cancellation.js';
import { Completion } from './completion.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { InProcessDispatcher } from './dispatch/in-process.dispatcher.js';
import { ExecutionEntity } from './execution.entity.js';
import { ExecutionRepository } from './execution.repository.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionsController } from './executions.controller.js';
import { ExecutionsReader } from './executions.reader.js';
import { ExecutionsService } from './executions.service.js';
import { InstanceEntity } from './instances/instance.entity.js';
import { InstanceRegistry } from './instances/instance-registry.js';
import { InstanceRepository } from './instances/instance.repository.js';
import { Recovery } from './recovery/recovery.js';
import { RunLoop } from './run-loop/run-loop.js';
import { ExecutionsOfSessions } from './session-executions.adapter.js';
import { UnfinishedExecutions } from './unfinished-executions.js';
import { ExecutionsOfWorkflows } from './workflow-executions.adapter.js';

/** Global, since workflows and sessions, which stand below, ask it about their executions through ports of theirs. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([ExecutionEntity, InstanceEntity]),
    NodesModule,
    ProjectsModule,
    SessionsModule,
    WorkflowsModule,
  ],
  controllers: [ExecutionsController],
  providers: [
    Cancellation,
    Completion,
    ExecutionListRepository,
    ExecutionRepository,
    ExecutionsReader,
    ExecutionsService,
    InProcessDispatcher,
    InstanceRegistry,
    InstanceRepository,
    Recovery,
    RunLoop,
    UnfinishedExecutions,
    { provide: Dispatcher, useExisting: InProcessDispatcher },
    { provide: SessionExecutions, useClass: ExecutionsOfSessions },
    { provide: WorkflowExecutions, useClass: ExecutionsOfWorkflows },
  ],
  exports: [ExecutionsReader, ExecutionsService, SessionExecutions, WorkflowExecutions],
})
export class ExecutionsModule {}
