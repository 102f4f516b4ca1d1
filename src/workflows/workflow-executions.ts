import type { DeletionEffect } from '../storage/index.js';

/** What a workflow shows of its latest execution. */
export interface LastExecution {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly duration_ms: number | null;
}

/**
 * What workflows ask about their executions. A port, since executions stand above workflows: that room
 * binds it.
 */
export abstract class WorkflowExecutions {
  /** The latest execution of each workflow that has one. */
  abstract latest(workflowIds: readonly string[]): Promise<ReadonlyMap<string, LastExecution>>;

  /** How many have not ended. */
  abstract countUnfinished(workflowId: string): Promise<number>;

  /** The cancellation of all that have not ended. */
  abstract cancellation(workflowId: string, reason: string): DeletionEffect;
}
