import type { DeletionEffect } from '../storage/index.js';

/** How many executions a session has. */
export interface ExecutionCounts {
  readonly total: number;
  /** Those that have not ended, whether they run or wait. */
  readonly running: number;
  /** Those that failed or timed out. */
  readonly failed: number;
}

/** Of a session that has no execution. */
export const NO_EXECUTIONS: ExecutionCounts = { total: 0, running: 0, failed: 0 };

/**
 * What sessions ask about their executions. A port, since executions stand above sessions: that room binds it.
 */
export abstract class SessionExecutions {
  /** The counts of each session that has executions. */
  abstract counts(sessionIds: readonly string[]): Promise<ReadonlyMap<string, ExecutionCounts>>;

  /** The cancellation of all that have not ended. */
  abstract cancellation(sessionId: string, reason: string): DeletionEffect;
}
