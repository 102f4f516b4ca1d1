import {
  NodeExecutorPort,
  type NodeExecutor,
  ExecutionEffects,
  NodeRunner,
  RunMemory,
  type RunnerOutcome,
} from '../execution-runner/index.js';
import { Inject, Injectable } from '@nestjs/common';
import type { NodeContext } from '../node-contract/index.js';
import type { RunOrder, WorkflowConfig } from '../engine/index.js';
import { EffectGuard } from '../instances/index.js';
import { NodeTypeRegistry } from '../nodes/index.js';
import type { Execution } from '../execution-store/index.js';
import { ResultCache, reused } from './result-cache.js';
import { resultKey } from './result-key.js';

@Injectable()
export class CachingRunner implements NodeExecutor {
  private readonly runner: NodeRunner;

  constructor(
    @Inject(NodeTypeRegistry) registry: Pick<NodeTypeRegistry, 'get'>,
    @Inject(ExecutionEffects) executionEffects: Pick<ExecutionEffects, 'approvalLinks' | 'child'>,
    @Inject(EffectGuard) effects: Pick<EffectGuard, 'confirmed' | 'isSure'>,
    @Inject(ResultCache) private readonly results: Pick<ResultCache, 'peek' | 'reuse'>,
    @Inject(RunMemory) memory: Pick<RunMemory, 'reserveResult'>,
    @Inject(NodeExecutorPort) port: Pick<NodeExecutorPort, 'connect'>,
  ) {
    port.connect(this);
    this.runner = new NodeRunner(registry, executionEffects, effects, memory);
  }

  /**
   * Returns the node runner for a workflow. For a workflow with a disabled cache, the runner does not use the cache.
   */
  for({ cache_enabled }: Pick<WorkflowConfig, 'cache_enabled'>): Pick<NodeRunner, 'run'> {
    return cache_enabled ? this : this.runner;
  }

  run(
    execution: Execution,
    order: RunOrder,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const { node, input, resumption } = order;
    const { cacheTtlSeconds, timeoutMs } = node;
    if (cacheTtlSeconds === null || resumption !== null)
      return this.runner.run(execution, order, signal, report);
    const { projectId } = execution;
    const wanted = {
      key: resultKey(projectId, node.type, input),
      projectId,
      maxAgeMs: cacheTtlSeconds * 1_000,
    };
    const known = this.results.peek(wanted);
    if (known !== undefined) return reused(known);
    const waitSignal =
      timeoutMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return this.results.reuse(wanted, waitSignal, async () =>
      this.runner.run(execution, order, signal, report),
    );
  }
}
