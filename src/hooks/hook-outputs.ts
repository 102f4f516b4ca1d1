import { Injectable } from '@nestjs/common';
import { ExecutionFailedError } from '../errors/index.js';
import { Completion, type Execution, hasEnded, ReachableExecutions } from '../execution-store/index.js';
import type { Json } from '../expressions/index.js';
import { LongValue } from '../long-values/index.js';

/** Maximum time in milliseconds that a hook waits for the output of an execution. */
export const OUTPUT_WAIT_MS = 60_000;

@Injectable()
export class HookOutputs {
  constructor(
    private readonly completion: Completion,
    private readonly executions: ReachableExecutions,
  ) {}

  /**
   * Waits for the end of an execution, and returns its output.
   * @param signal aborts when the sender disconnects
   * @returns the output; undefined if the execution has not ended in time, or if the output is longer than 1 MiB
   * @throws ExecutionFailedError if the execution ended without completing
   */
  async of(executionId: string, waitMs: number, signal: AbortSignal): Promise<Json | undefined> {
    const execution = await this.ended(executionId, waitMs, signal);
    if (execution === undefined || !hasEnded(execution)) return undefined;
    const { status, output } = execution.progress;
    if (status !== 'completed') throw new ExecutionFailedError(executionId, status);
    return output instanceof LongValue ? undefined : output;
  }

  private async ended(
    executionId: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Execution | undefined> {
    const execution = await this.executions.find(executionId);
    if (execution === undefined || hasEnded(execution)) return this.whole(execution);
    const watch = this.completion.watch(execution);
    try {
      // The execution is read again, because it may have ended between the first read and the beginning of
      // the watch.
      const current = await this.executions.find(executionId);
      if (current === undefined || hasEnded(current)) return await this.whole(current);
      return await this.whole(await watch.ended(waitMs, signal));
    } finally {
      watch.stop();
    }
  }

  private async whole(execution: Execution | undefined): Promise<Execution | undefined> {
    return execution === undefined ? undefined : this.executions.withValues(execution);
  }
}
