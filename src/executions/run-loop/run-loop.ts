import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  fold,
  type JournalEvent,
  type JsonObject,
  recovered,
  recoveryExhausted,
  type Surroundings,
} from '../../engine/index.js';
import { EventBus, JournalRepository } from '../../journal/index.js';
import { NodeTypeRegistry } from '../../nodes/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SessionsService } from '../../sessions/index.js';
import { PlanCache } from '../../workflows/index.js';
import { type Execution, HANDED_OVER, HOLDER_LOST } from '../execution.js';
import { ExecutionRepository } from '../execution.repository.js';
import { NodeRunner } from './node-runner.js';
import { recoveriesInARow } from '../recovery/recoveries.js';
import { Run, type RunContext } from './run.js';

/** Times in a row that an execution is taken over from a lost holder before it is given up. */
const MAX_RECOVERIES = 5;

/** Recoveries in a row after which an execution runs with no other such one beside it, so that one alone is blamed. */
const SUSPECT_AFTER = 2;

/** An execution that this process runs. */
interface Hold {
  readonly epoch: number;
  /** Null while it is being read. */
  run: Run | null;
}

/** An execution as this process runs it. */
export interface RunningExecution {
  readonly id: string;
  /** Of the lease that it is run under. */
  readonly epoch: number;
  /** Stops it where that lease is gone. */
  stop(): void;
}

/** Runs the executions that this process holds. */
@Injectable()
export class RunLoop {
  private readonly logger = new Logger(RunLoop.name);
  private readonly holds = new Map<string, Hold>();
  private readonly context: RunContext;
  private leaving: 'no' | 'when_idle' | 'now' = 'no';
  /** The last of the suspects, which run one after the other. */
  private suspects: Promise<unknown> = Promise.resolve();

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
      if (batch.events.at(-1)?.type === 'workflow.cancelled') this.holds.get(batch.executionId)?.run?.stop();
    });
  }

  /** Whether a lease is that of an execution which runs here now. */
  runs(id: string, epoch: number): boolean {
    return this.holds.get(id)?.epoch === epoch;
  }

  /** What runs here now. */
  running(): readonly RunningExecution[] {
    return [...this.holds].map(([id, hold]) => ({ id, epoch: hold.epoch, stop: () => hold.run?.stop() }));
  }

  /**
   * Runs an execution that this process holds, until it ends, sleeps or is lost. Never rejects.
   * @param journal its events, where they are at hand (it was just started); else they are read
   * @returns epoch milliseconds at which it wants to be run again; null where it does not
   */
  async run(
    execution: Execution,
    journal?: readonly JournalEvent[],
  ): Promise<{ readonly wakeAt: number | null }> {
    const hold: Hold = { epoch: execution.lease.epoch, run: null };
    // One that it held before, was taken from it and came back.
    this.holds.get(execution.id)?.run?.stop();
    this.holds.set(execution.id, hold);
    try {
      return await this.take(execution, hold, journal ?? (await this.journal.whole(execution.id, 0)));
    } catch (error) {
      this.logger.error(
        { err: error, executionId: execution.id },
        'A run broke off; it will be taken up again.',
      );
      return { wakeAt: await this.giveUp(execution) };
    } finally {
      if (this.holds.get(execution.id) === hold) this.holds.delete(execution.id);
    }
  }

  /** Begins nothing new; resolves when every run has left, at the latest after the grace. */
  async drain(graceMs: number): Promise<void> {
    this.leave('when_idle');
    const deadline = performance.now() + graceMs;
    while (this.holds.size > 0 && performance.now() < deadline) await pause(20);
    this.leave('now');
    while (this.holds.size > 0) await pause(20);
  }

  private async take(
    execution: Execution,
    hold: Hold,
    events: readonly JournalEvent[],
  ): Promise<{ readonly wakeAt: number | null }> {
    const state = fold(events);
    const { plan, name } = await this.plans.of(execution.workflowId, execution.workflowVersion);
    const sessionState = await this.sessionState(execution);
    const { status, statusReason } = execution.progress;
    const isRecovery = status === 'running' || statusReason === HOLDER_LOST;
    const recoveries = isRecovery ? recoveriesInARow(events) : 0;
    if (recoveries >= MAX_RECOVERIES) {
      await this.executions.advance(execution, [recoveryExhausted(plan, state, this.clock.now())], true);
      return { wakeAt: null };
    }
    const run = new Run(execution, state, plan, surroundingsOf(execution, name, sessionState), this.context);
    hold.run = run;
    tell(run, this.leaving);
    const cause = statusReason === HANDED_OVER ? 'hand_over' : 'crash';
    const go = (): Promise<unknown> => run.go(isRecovery ? [recovered(state, this.clock.now(), cause)] : []);
    await (recoveries >= SUSPECT_AFTER ? this.alone(go) : go());
    return { wakeAt: run.wakeAt };
  }

  private alone(go: () => Promise<unknown>): Promise<unknown> {
    const turn = this.suspects.then(go);
    this.suspects = turn.catch(() => undefined);
    return turn;
  }

  private leave(leaving: 'when_idle' | 'now'): void {
    this.leaving = leaving;
    for (const { run } of this.holds.values()) if (run !== null) tell(run, leaving);
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

function tell(run: Run, leaving: 'no' | 'when_idle' | 'now'): void {
  if (leaving === 'when_idle') run.drain();
  else if (leaving === 'now') run.abandon();
}

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
