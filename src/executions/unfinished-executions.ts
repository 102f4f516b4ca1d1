import { Injectable } from '@nestjs/common';
import { Cancellation } from './cancellation.js';
import { ExecutionListRepository, type ExecutionOwner } from './execution-list.repository.js';
import { ExecutionFinishedError } from './executions.errors.js';

/** Cancelled at once. */
const PAGE = 100;

/** What has not ended of a workflow or a session that goes away. */
@Injectable()
export class UnfinishedExecutions {
  constructor(
    private readonly lists: ExecutionListRepository,
    private readonly cancellation: Cancellation,
  ) {}

  /** Cancels all of it; one that ends by itself meanwhile is no fault. */
  async cancel(owner: ExecutionOwner, reason: string): Promise<void> {
    for (;;) {
      const unfinished = await this.lists.listUnfinished(owner, PAGE);
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
