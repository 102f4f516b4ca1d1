import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';
import { type LastExecution, WorkflowExecutions } from '../workflows/index.js';
import { durationMs } from './execution.view.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** What workflows ask about their executions, answered by the room that has them. */
@Injectable()
export class ExecutionsOfWorkflows extends WorkflowExecutions {
  constructor(
    private readonly lists: ExecutionListRepository,
    private readonly unfinished: UnfinishedExecutions,
  ) {
    super();
  }

  async latest(workflowIds: readonly string[]): Promise<ReadonlyMap<string, LastExecution>> {
    const executions = await this.lists.latest(workflowIds);
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
    return this.lists.countUnfinished({ workflowId });
  }

  cancellation(workflowId: string, reason: string): DeletionEffect {
    return this.unfinished.cancellation('workflow', workflowId, reason);
  }
}
