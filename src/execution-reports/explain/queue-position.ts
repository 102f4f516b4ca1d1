import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../../admission/index.js';
import { WorkflowsService } from '../../workflows/index.js';

/** What an execution in the admission queue waits for. */
export interface QueuePosition {
  /** ISO 8601 time at which the execution enters the queue. */
  readonly dueAt: string;
  /** The current `max_running` of the workflow; null if `max_running` does not limit this execution. */
  readonly cap: number | null;
  /** Number of taken slots of the workflow. */
  readonly taken: number;
  /** Ids of the executions that have the slots, oldest first. */
  readonly slotHolders: readonly string[];
  /** Ids of the executions that the session runs before this execution, in the order of their turns. */
  readonly before: readonly string[];
}

/** Maximum number of ids in `slotHolders` and in `before`. */
const NAMED = 100;

/** Reads the positions of executions that wait for a slot of their workflow or a turn in their session. */
@Injectable()
export class QueuePositions {
  constructor(
    private readonly places: AdmissionRepository,
    private readonly workflows: WorkflowsService,
  ) {}

  /** Returns null if the execution is not in the queue. */
  async of(executionId: string, now: string): Promise<QueuePosition | null> {
    const place = await this.places.find(executionId);
    if (place === undefined) return null;
    const { workflowId, dueAt } = place;
    const [cap, taken, slotHolders, before] = await Promise.all([
      this.capOf(workflowId),
      workflowId === null ? [] : this.places.taken(workflowId),
      workflowId === null ? [] : this.places.holdersOf(workflowId, NAMED),
      this.places.before(executionId, now, NAMED),
    ]);
    return { dueAt, cap, taken: taken.length, slotHolders, before };
  }

  private async capOf(workflowId: string | null): Promise<number | null> {
    if (workflowId === null) return null;
    return (await this.workflows.find(workflowId))?.definition.config.max_running ?? null;
  }
}
