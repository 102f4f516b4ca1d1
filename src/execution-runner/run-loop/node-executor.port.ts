import { Injectable } from '@nestjs/common';
import type { WorkflowConfig } from '../../engine/index.js';
import { Port } from '../../platform/index.js';
import type { NodeRunner } from './node-runner.js';

/** Runs single attempts of nodes. */
export type AttemptRunner = Pick<NodeRunner, 'run'>;

/**
 * Chooses the runner for the attempts of a workflow: with the result cache if the workflow enables the cache,
 * otherwise without.
 */
export interface NodeExecutor {
  for(config: Pick<WorkflowConfig, 'cache_enabled'>): AttemptRunner;
}

@Injectable()
export class NodeExecutorPort extends Port<NodeExecutor> {}
