import { Injectable } from '@nestjs/common';
import { type LastExecution, WorkflowExecutions } from '../workflows/index.js';
import { durationMs } from './execution.view.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionFinishedError } from './executions.errors.js';
import { Cancellation } from './cancellation.js';

/** Cancelled at once when a workflow is deleted. */
const PAGE = 100;

/** What workflows ask about their executions, answered by the room that has them. */
@Injectable()
export class ExecutionsOfWorkflows extends WorkflowExecutions {
  constructor(
    private readonly lists: ExecutionListRepository,
    private readonly cancellation: Cancellation,
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
    return this.lists.countUnfinished(workflowId);
  }

  async cancelUnfinished(workflowId: string, reason: string): Promise<void> {
    for (;;) {
      const unfinished = await this.lists.listUnfinished(workflowId, PAGE);
      if (unfinished.length === 0) return;
      await Promise.all(
        unfinished.map(async (execution) => {
          try {
            await this.cancellation.cancel(execution, reason);
          } catch (error) {
            if (!(error instanceof ExecutionFinishedError)) throw error;
          }
        }),
      );
    }
  }
}
