import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../../admission/index.js';
import { WorkflowsService } from '../../workflows/index.js';

/** Position of an execution in the admission queue, and the executions for which the execution waits. */
export interface QueuePosition {
  /** ISO 8601 time from which the execution can be admitted. */
  readonly dueAt: string;
  /** Current `max_running` of the workflow. Null if `max_running` does not limit this execution. */
  readonly cap: number | null;
  /** Number of slots of the workflow that executions have taken. */
  readonly taken: number;
  /** Ids of the executions that have a slot of the workflow, oldest first, at most 100. */
  readonly slotHolders: readonly string[];
  /**
   * Ids of the executions of the session that have their turn before this execution, in the order of their turns, at
   * most 100.
   */
  readonly before: readonly string[];
}

/** Maximum number of ids in `slotHolders` and in `before`. */
const MAX_IDS = 100;

/**
 * Reads the positions of executions in the admission queue. These executions wait for a slot of their workflow or for
 * their turn in a session.
 */
@Injectable()
export class QueuePositions {
  constructor(
    private readonly places: AdmissionRepository,
    private readonly workflows: WorkflowsService,
  ) {}

  /** Returns the position of an execution. Null if the execution is not in the queue. */
  async of(executionId: string, now: string): Promise<QueuePosition | null> {
    const place = await this.places.find(executionId);
    if (place === undefined) return null;
    const { workflowId, dueAt } = place;
    const [cap, taken, slotHolders, before] = await Promise.all([
      this.capOf(workflowId),
      workflowId === null ? [] : this.places.taken(workflowId),
      workflowId === null ? [] : this.places.holdersOf(workflowId, MAX_IDS),
      this.places.before(executionId, now, MAX_IDS),
    ]);
    return { dueAt, cap, taken: taken.length, slotHolders, before };
  }

  private async capOf(workflowId: string | null): Promise<number | null> {
    if (workflowId === null) return null;
    return (await this.workflows.find(workflowId))?.definition.config.max_running ?? null;
  }
}
