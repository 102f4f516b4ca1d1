import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../../admission/index.js';
import { WorkflowsService } from '../../workflows/index.js';

/** Position of a parked execution: what it waits for. */
export interface QueuePosition {
  /** ISO 8601; it enters the queue at this time. */
  readonly dueAt: string;
  /** The current `max_running` of its workflow; null if that does not limit it. */
  readonly cap: number | null;
  /** Number of taken slots of its workflow. */
  readonly taken: number;
  /** Executions that hold the slots, oldest first. */
  readonly slotHolders: readonly string[];
  /** Executions of its session that run before it, next one first. */
  readonly before: readonly string[];
}

/** Maximum number of blocking executions listed per kind. */
const NAMED = 100;

/** Queue positions of executions that wait for a slot of their workflow or a turn in their session. */
@Injectable()
export class QueuePositions {
  constructor(
    private readonly places: AdmissionRepository,
    private readonly workflows: WorkflowsService,
  ) {}

  /** The queue position of an execution; null if it is not queued. */
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
