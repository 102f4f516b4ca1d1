import { Injectable } from '@nestjs/common';
import { durationMs, ExecutionLookupRepository, UnfinishedExecutions } from '../execution-store/index.js';
import type { DeletionEffect } from '../storage/index.js';

export interface LastExecution {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly duration_ms: number | null;
}

@Injectable()
export class WorkflowExecutions {
  constructor(
    private readonly lookup: ExecutionLookupRepository,
    private readonly unfinished: UnfinishedExecutions,
  ) {}

  /** Returns the latest execution of each workflow, by workflow id. Workflows without an execution are absent. */
  async latest(workflowIds: readonly string[]): Promise<ReadonlyMap<string, LastExecution>> {
    const executions = await this.lookup.latest(workflowIds);
    return new Map(
      executions.map((execution) => [
        execution.workflowId,
        {
          id: execution.id,
          status: execution.progress.status,
          created_at: execution.createdAt,
          duration_ms: durationMs(execution),
        },
      ]),
    );
  }

  countUnfinished(workflowId: string): Promise<number> {
    return this.lookup.countUnfinished({ workflowId });
  }

  /**
   * Returns the writes and later work that cancel all unfinished executions of a workflow. The writes belong to the
   * commit that deletes the workflow.
   */
  cancellation(workflowId: string, reason: string): DeletionEffect {
    return this.unfinished.cancellation('workflow', workflowId, reason);
  }
}
