import { Module } from '@nestjs/common';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { NodesModule } from '../nodes/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { ExpressionsController } from './expressions.controller.js';
import { NodeTrialsController } from './node-trials.controller.js';
import { NodeTrials } from './node-trials.service.js';

/** Evaluates expressions and tests nodes for authors of workflows. Saves and records nothing. */
@Module({
  imports: [ExecutionRunnerModule, NodesModule, WorkflowsModule],
  controllers: [ExpressionsController, NodeTrialsController],
  providers: [NodeTrials],
})
export class AuthoringModule {}
