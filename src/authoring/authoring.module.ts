import { Module } from '@nestjs/common';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { NodesModule } from '../nodes/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ExpressionsController } from './expressions.controller.js';
import { NodeTrialsController } from './node-trials.controller.js';
import { NodeTrials } from './node-trials.service.js';

/** Module for authors of workflows. It evaluates expressions and tests nodes without storing the results. */
@Module({
  imports: [ExecutionRunnerModule, NodesModule, WorkflowsModule],
  controllers: [ExpressionsController, NodeTrialsController],
  providers: [NodeTrials],
})
export class AuthoringModule {}
