import { Module } from '@nestjs/common';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { NodesModule } from '../nodes/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ExpressionsController } from './expressions.controller.js';
import { NodeTrialsController } from './node-trials.controller.js';
import { NodeTrials } from './node-trials.service.js';

/** Help for authors of workflows, before anything is saved or recorded. */
@Module({
  imports: [ExecutionRunnerModule, NodesModule, WorkflowsModule],
  controllers: [ExpressionsController, NodeTrialsController],
  providers: [NodeTrials],
})
export class AuthoringModule {}
