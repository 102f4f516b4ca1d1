import { Inject, Injectable, Logger } from '@nestjs/common';
import { fold, type JournalEvent, type JsonObject, recovered, recoveryExhausted, type Surroundings } from '../../engine/index.js';
import { EventBus, JournalRepository } from '../../journal/index.js';
import { NodeTypeRegistry } from '../../nodes/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SessionsService } from '../../sessions/index.js';
import { PlanCache } from '../../workflows/index.js';
import type { Execution } from '../execution.js';
import { ExecutionRepository } from '../execution.repository.js';
import { NodeRunner } from './node-runner.js';
import { Run, type RunContext } from './run.js';

/** Times an execution is taken over from a lost holder before it is given up. */
const MAX_RECOVERIES = 5;

/** Runs the executions that this process holds. */
@Injectable()
export class RunLoop {
  private readonly logger = new Logger(RunLoop.name);
  private readonly runs = new Map<string, Run>();
  private readonly context: RunContext;

  constructor(
    private readonly executions: ExecutionRepository,
    private readonly journal: JournalRepository,
    private readonly plans: PlanCache,
    private readonly sessions: SessionsService,
    bus: EventBus,
    registry: NodeTypeRegistry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.context = { executions, runner: new NodeRunner(registry), clock, random: Math.random };
    bus.subscribe((batch) => {
      // A run itself never cancels: somebody else did, and its lease is gone.
      if (batch.events.at(-1)?.type === 'workflow.cancelled') this.runs.get(batch.executionId)?.stop();
    });
  }

  /** Executions running here now. */
  get size(): number {
    return this.runs.size;
  }

  /**
   * Runs an execution that this process holds, until it ends, sleeps or is lost. Never rejects.
   * @param journal its events, where they are at hand (it was just started); else they are read
   * @returns epoch milliseconds at which it wants to be run again; null where it does not
   */
  async run(execution: Execution, journal?: readonly JournalEvent[]): Promise<{ readonly wakeAt: number | null }> {
    try {
      const events = journal ?? (await this.journal.whole(execution.id, 0));
      const state = fold(events);
      const { plan, name } = await this.plans.of(execution.workflowId, execution.workflowVersion);
      const sessionState = await this.sessionState(execution);
      const now = this.clock.now();
      const isRecovery = execution.progress.status === 'running';
      if (isRecovery && state.recoveries >= MAX_RECOVERIES) {
        await this.executions.advance(execution, [recoveryExhausted(plan, state, now)], true);
        return { wakeAt: null };
      }
      const cause = execution.progress.statusReason === 'handed_over' ? 'hand_over' : 'crash';
      const run = new Run(execution, state, plan, surroundingsOf(execution, name, sessionState), this.context);
      this.runs.set(execution.id, run);
      await run.go(isRecovery ? [recovered(state, now, cause)] : []);
      return { wakeAt: run.wakeAt };
    } catch (error) {
      this.logger.error({ err: error, executionId: execution.id }, 'A run broke off; it will be taken up again.');
      return { wakeAt: await this.giveUp(execution) };
    } finally {
      this.runs.delete(execution.id);
    }
  }

  /** Begins nothing new; resolves when every run has left, at the latest after the grace. */
  async drain(graceMs: number): Promise<void> {
    for (const run of this.runs.values()) run.drain();
    const deadline = this.clock.now() + graceMs;
    while (this.runs.size > 0 && this.clock.now() < deadline) await pause(20);
    for (const run of this.runs.values()) run.abandon();
    while (this.runs.size > 0) await pause(20);
  }

  /** As it is when the run begins; what changes meanwhile is seen by later executions. */
  private async sessionState({ sessionId }: Execution): Promise<JsonObject> {
    return sessionId === null ? {} : ((await this.sessions.find(sessionId))?.state ?? {});
  }

  /** After a fault of the service: another claim, after a while, begins from the journal. */
  private async giveUp(execution: Execution): Promise<number> {
    const later = this.clock.now() + RETRY_AFTER_FAULT_MS;
    try {
      await this.executions.handBack(execution, isoTime(later), 'service_fault');
    } catch (error) {
      this.logger.error({ err: error, executionId: execution.id }, 'The lease could not be handed back.');
    }
    return later;
  }
}

const RETRY_AFTER_FAULT_MS = 5_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function surroundingsOf(execution: Execution, workflowName: string, sessionState: JsonObject): Surroundings {
  return {
    workflow: { id: execution.workflowId, name: workflowName, version: execution.workflowVersion },
    execution: {
      id: execution.id,
      attempt: execution.attempt,
      created_at: execution.createdAt,
      metadata: execution.metadata,
      trigger: { type: execution.trigger.type, id: execution.trigger.id },
    },
    session: { id: execution.sessionId, state: sessionState },
    secrets: {},
  };
}
