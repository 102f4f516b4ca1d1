import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../../admission/index.js';
import { WorkflowsService } from '../../workflows/index.js';

/** What an execution in line waits for. */
export interface QueuePosition {
  /** ISO 8601; not in line before then. */
  readonly dueAt: string;
  /** The present `max_running`; null where it does not wait for that. */
  readonly cap: number | null;
  /** Slots of its workflow that are taken. */
  readonly taken: number;
  /** Executions that have them, the oldest first. */
  readonly slotHolders: readonly string[];
  /** Executions of its session that go before it, the next one first. */
  readonly before: readonly string[];
}

/** Executions that are named as being in the way. */
const NAMED = 100;

/** Positions of executions that wait for a slot of their workflow or a turn in their session. */
@Injectable()
export class QueuePositions {
  constructor(
    private readonly places: AdmissionRepository,
    private readonly workflows: WorkflowsService,
  ) {}

  /** Where an execution stands in line; null where it does not by now. */
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
