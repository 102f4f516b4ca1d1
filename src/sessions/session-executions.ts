import { Injectable } from '@nestjs/common';
import { isFinal } from '../execution-events/index.js';
import { ExecutionLookupRepository, UnfinishedExecutions } from '../execution-store/index.js';
import type { DeletionEffect } from '../storage/index.js';

export interface ExecutionCounts {
  readonly total: number;
  /** Number of unfinished executions, which are running, waiting, queued or paused. */
  readonly running: number;
  /** Number of executions that failed or timed out. */
  readonly failed: number;
}

export const NO_EXECUTIONS: ExecutionCounts = { total: 0, running: 0, failed: 0 };

@Injectable()
export class SessionExecutions {
  constructor(
    private readonly lookup: ExecutionLookupRepository,
    private readonly unfinished: UnfinishedExecutions,
  ) {}

  /** Returns the execution counts by session id. Sessions without executions have no entry. */
  async counts(sessionIds: readonly string[]): Promise<ReadonlyMap<string, ExecutionCounts>> {
    const bySession = Map.groupBy(await this.lookup.countByStatus(sessionIds), ({ sessionId }) => sessionId);
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

  /**
   * Returns the writes and later work that cancel all unfinished executions of a session. The writes belong
   * to the commit that deletes the session.
   */
  cancellation(sessionId: string, reason: string): DeletionEffect {
    return this.unfinished.cancellation('session', sessionId, reason);
  }
}
