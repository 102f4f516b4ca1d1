import { Injectable } from '@nestjs/common';
import { isFinal } from '../engine/index.js';
import type { DeletionEffect } from '../storage/index.js';
import { type ExecutionCounts, SessionExecutions } from '../sessions/index.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** What sessions ask about their executions, answered by the room that has them. */
@Injectable()
export class ExecutionsOfSessions extends SessionExecutions {
  constructor(
    private readonly lists: ExecutionListRepository,
    private readonly unfinished: UnfinishedExecutions,
  ) {
    super();
  }

  async counts(sessionIds: readonly string[]): Promise<ReadonlyMap<string, ExecutionCounts>> {
    const bySession = Map.groupBy(await this.lists.countByStatus(sessionIds), ({ sessionId }) => sessionId);
    return new Map(
      [...bySession].map(([sessionId, rows]) => {
        const sum = (of: readonly { readonly count: number }[]): number =>
          of.reduce((total, { count }) => total + count, 0);
        return [
          sessionId,
          {
            total: sum(rows),
            running: sum(rows.filter(({ status }) => !isFinal(status))),
            failed: sum(rows.filter(({ status }) => status === 'failed' || status === 'timed_out')),
          },
        ];
      }),
    );
  }

  cancellation(sessionId: string, reason: string): DeletionEffect {
    return this.unfinished.cancellation('session', sessionId, reason);
  }
}
