import {
  type AttemptRunner,
  CachingRunnerPort,
  NodeRunner,
  type RunnerOutcome,
} from '../execution-runner/index.js';
import { Inject, Injectable } from '@nestjs/common';
import type { NodeContext } from '../node-contract/index.js';
import type { RunOrder } from '../engine/index.js';
import type { Execution } from '../execution-store/index.js';
import { ResultCache, reused } from './result-cache.js';
import { resultKey } from './result-key.js';

/** Runs attempts of nodes, unless the cache contains the result of an equal node. */
@Injectable()
export class CachingRunner implements AttemptRunner {
  constructor(
    @Inject(NodeRunner) private readonly runner: AttemptRunner,
    @Inject(ResultCache) private readonly results: Pick<ResultCache, 'peek' | 'reuse'>,
    @Inject(CachingRunnerPort) port: Pick<CachingRunnerPort, 'connect'>,
  ) {
    port.connect(this);
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
