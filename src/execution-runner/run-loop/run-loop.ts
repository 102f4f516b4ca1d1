import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  fold,
  type Plan,
  recovered,
  recoveryExhausted,
  type Surroundings,
  timedOut,
} from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { inBackground } from '../../database/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SessionsService } from '../../sessions/index.js';
import { PlanCache, PlanUnavailableError } from '../../workflows/index.js';
import {
  type Execution,
  endsAtOf,
  HANDED_OVER,
  hasEnded,
  logFields,
  HOLDER_LOST,
  WORKFLOW_UNAVAILABLE,
  ExecutionRepository,
  AncestorEndedError,
  Cancellation,
} from '../../execution-store/index.js';
import { Inbox } from '../../inbox/index.js';
import { NodeExecutorPort } from './node-executor.port.js';
import { madeProgress, type RunCheckpoints } from '../../journal/index.js';
import { SecretResolverPort } from '../ports/secret-resolver.port.js';
import { SecretAttempts } from '../secrets/secret-attempts.js';
import { RunResources } from '../memory/run-resources.js';
import { RunInbox } from './run-inbox.js';
import { Run, type RunContext, type RunEnd } from './run.js';
import { CrashQuarantine } from './crash-quarantine.js';
import { StateLoader } from './state-loader.js';

/** Time for runs to hand their executions over, each in a commit of its own. */
const HAND_OVER_MS = 1_500;

/** An execution that this process runs. */
interface Hold {
  readonly epoch: number;
  /** Null while it is being read. */
  run: Run | null;
  /** A message came while it was being read. */
  nudged: boolean;
}

/** How a run left its execution. */
export interface RunLeft {
  /** Epoch milliseconds at which it wants to be run again; null where it does not. */
  readonly wakeAt: number | null;
}

/** A new execution as far as it went in memory without an effect; nothing of it is written yet. */
export interface BegunRun {
  /** What was decided about it, to be committed together with its start. */
  readonly decided: readonly JournalEvent[];
  /** Bytes that its events may take. */
  readonly maxBytes: number;
  /** What to commit instead, where `decided` takes more. @param bytes that it takes */
  endTooLarge(bytes: number): readonly JournalEvent[];
  /**
   * Its start is committed. Goes on until it ends, sleeps or is lost. Never rejects.
   * @returns null where it has ended already
   */
  go(written: Execution): Promise<RunLeft> | null;
  /** Its start was not committed: nothing of it stays in memory. */
  discard(): void;
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
  private leaving: 'no' | 'when_idle' | 'now' = 'no';

  constructor(
    @Inject(ExecutionRepository)
    private readonly executions: Pick<ExecutionRepository, 'advance' | 'handBack' | 'release'>,
    @Inject(StateLoader)
    private readonly states: Pick<StateLoader, 'checkpointsOf' | 'current' | 'load'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of'>,
    @Inject(SessionsService) private readonly sessions: Pick<SessionsService, 'find'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'read' | 'empty' | 'tellOfRunnable' | 'wakeIfUnseen'>,
    @Inject(Cancellation)
    private readonly cancellation: Pick<
      Cancellation,
      'cancelBelowEnded' | 'cancelChild' | 'endWrites' | 'afterEnd'
    >,
    @Inject(NodeExecutorPort) private readonly executor: Pick<NodeExecutorPort, 'adapter'>,
    private readonly quarantine: CrashQuarantine,
    @Inject(RunResources)
    private readonly resources: Pick<RunResources, 'maxBytes' | 'memory' | 'valuesOf'>,
    @Inject(SecretResolverPort) private readonly secrets: Pick<SecretResolverPort, 'adapter'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether a lease is that of an execution which runs here now. */
  runs(id: string, epoch: number): boolean {
    return this.holds.get(id)?.epoch === epoch;
  }

  /** Something came into the inbox of an execution, which may run here. */
  nudge(id: string): void {
    const hold = this.holds.get(id);
    if (hold === undefined) return;
    hold.nudged = true;
    hold.run?.nudge();
  }

  /** An execution, which may run here, was cancelled: its lease is gone. */
  stop(id: string): void {
    this.holds.get(id)?.run?.stop();
  }

  /** Whether all that runs here only waits for an instant. */
  get isIdle(): boolean {
    return [...this.holds.values()].every(({ run }) => run?.isIdle === true);
  }

  /** What runs here now. */
  running(): readonly RunningExecution[] {
    return [...this.holds].map(([id, hold]) => ({ id, epoch: hold.epoch, stop: () => hold.run?.stop() }));
  }

  /** Runs an execution that this process holds, until it ends, sleeps or is lost. Never rejects. */
  run(execution: Execution): Promise<RunLeft> {
    return this.hold(execution, (hold) => this.take(execution, hold));
  }

  /**
   * Begins an execution that is not written yet: it goes in memory as far as it can without an effect. Nobody else
   * knows of it until its start is committed, so it is held only from there on.
   * @param events its events so far
   */
  async begin(execution: Execution, events: readonly JournalEvent[]): Promise<BegunRun> {
    const { plan, surroundings } = await this.around(execution);
    const inbox = new RunInbox(execution.id, this.inbox, []);
    const values = this.resources.valuesOf(execution.id);
    const context = this.contextOf(execution, plan, this.states.checkpointsOf(execution.id, plan));
    const run = new Run(execution, fold(events), plan, surroundings, inbox, values, context);
    return {
      decided: await run.begin(),
      maxBytes: context.maxBytes,
      endTooLarge: (bytes) => run.endTooLarge(bytes),
      go: (written) => {
        run.started(written);
        return hasEnded(written) ? null : inBackground(() => this.goOn(written, run));
      },
      discard: () => run.discard(),
    };
  }

  private goOn(execution: Execution, run: Run): Promise<RunLeft> {
    return this.hold(execution, async (hold) => {
      this.give(hold, run);
      await this.afterRun(execution, run, await run.go([]));
      return { wakeAt: run.wakeAt };
    });
  }

  private contextOf(running: Execution, { config }: Plan, checkpoints: RunCheckpoints): RunContext {
    const { executions, clock, executor, inbox, cancellation, resources, secrets } = this;
    return {
      executions,
      checkpoints,
      clock,
      memory: resources.memory,
      maxBytes: resources.maxBytes,
      random: Math.random,
      runner: new SecretAttempts(executor.adapter.for(config), secrets),
      onBorn: () => inbox.tellOfRunnable(),
      endWrites: (execution, state) => cancellation.endWrites(execution, state),
      onLeft: (childId) => void this.leaveChild(childId, running),
    };
  }

  /** What fails here, the next look for children whose parents have ended makes good. */
  private async leaveChild(childId: string, parent: Execution): Promise<void> {
    try {
      await this.cancellation.cancelChild(childId, `Its parent ${parent.id} does not wait for it any more.`);
    } catch (error) {
      this.logger.warn(
        { err: error, ...logFields(parent), child_execution_id: childId },
        'A child could not be cancelled.',
      );
    }
  }

  private async hold(execution: Execution, work: (hold: Hold) => Promise<RunLeft>): Promise<RunLeft> {
    const hold: Hold = { epoch: execution.lease.epoch, run: null, nudged: false };
    // One that it held before, was taken from it and came back.
    this.holds.get(execution.id)?.run?.stop();
    this.holds.set(execution.id, hold);
    try {
      return await work(hold);
    } catch (error) {
      if (error instanceof PlanUnavailableError) return await this.postpone(execution, error);
      if (error instanceof AncestorEndedError) return await this.leaveTree(execution);
      this.logger.error(
        { err: error, ...logFields(execution) },
        'A run broke off; it will be taken up again.',
      );
      return { wakeAt: await this.giveUp(execution) };
    } finally {
      if (this.holds.get(execution.id) === hold) this.holds.delete(execution.id);
    }
  }

  /** An execution above it has ended, and so does this one. */
  private async leaveTree(execution: Execution): Promise<RunLeft> {
    try {
      if (await this.cancellation.cancelBelowEnded(execution)) return { wakeAt: null };
    } catch (error) {
      this.logger.warn({ err: error, ...logFields(execution) }, 'A descendant could not be cancelled.');
    }
    return { wakeAt: await this.giveUp(execution) };
  }

  /**
   * Begins nothing new; resolves when every run has left. After the grace, runs hand their executions over, and those
   * that cannot do so in time are stopped and keep their leases.
   */
  async drain(graceMs: number): Promise<void> {
    this.leave('when_idle');
    await this.left(graceMs);
    this.leave('now');
    await this.left(HAND_OVER_MS);
    for (const { run } of this.holds.values()) run?.stop();
  }

  /** Resolves when nothing runs here, at the latest after a time. */
  private async left(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (this.holds.size > 0 && performance.now() < deadline) await pause(20);
  }

  private async take({ bodies = null, ...execution }: Execution, hold: Hold): Promise<RunLeft> {
    if (await this.cancellation.cancelBelowEnded(execution)) return { wakeAt: null };
    const { plan, surroundings } = await this.around(execution);
    const { status, statusReason } = execution.progress;
    const values = this.resources.valuesOf(execution.id);
    const loaded = await this.states.load({ ...execution, bodies }, plan, surroundings, values);
    const { state, bytes } = loaded;
    const isRecovery = status === 'running' || statusReason === HOLDER_LOST || state.running > 0;
    const recoveries = isRecovery ? loaded.recoveries : 0;
    if (this.quarantine.isExhausted(recoveries)) {
      this.quarantine.release();
      const ended = await this.executions.advance(
        execution,
        [recoveryExhausted(plan, state, this.clock.now())],
        true,
        { writes: this.cancellation.endWrites(execution, state), born: [] },
      );
      await this.cancellation.afterEnd(ended, state);
      return { wakeAt: null };
    }
    const stored = execution.hasMessages === true ? await this.inbox.read(execution.id) : [];
    const inbox = new RunInbox(execution.id, this.inbox, stored);
    let clear: () => void = () => undefined;
    const context = {
      ...this.contextOf(execution, plan, loaded.checkpoints),
      ...(this.quarantine.isQuarantined(recoveries)
        ? { onCommitted: (events: readonly JournalEvent[]) => madeProgress(events) && clear() }
        : {}),
    };
    const run = new Run({ ...execution, bytes }, state, plan, surroundings, inbox, values, context);
    this.give(hold, run);
    const cause = statusReason === HANDED_OVER ? 'hand_over' : 'crash';
    const end = await this.quarantine.run(recoveries, (cleared): Promise<RunEnd> => {
      clear = cleared;
      return run.go(isRecovery ? [recovered(state, this.clock.now(), cause)] : []);
    });
    await this.afterRun(execution, run, end);
    return { wakeAt: run.wakeAt };
  }

  private async around(
    execution: Execution,
  ): Promise<{ readonly plan: Plan; readonly surroundings: Surroundings }> {
    const { plan, name } = await this.plans.of(execution.workflowId, execution.workflowVersion);
    const sessionState = execution.sessionId === null ? {} : await this.sessionState(execution.sessionId);
    return { plan, surroundings: surroundingsOf(execution, name, sessionState) };
  }

  private give(hold: Hold, run: Run): void {
    hold.run = run;
    if (hold.nudged) run.nudge();
    tell(run, this.leaving);
  }

  private async afterRun(execution: Execution, run: Run, end: RunEnd): Promise<void> {
    if (end === 'ended') await this.cancellation.afterEnd(execution, run.reached);
    if (end === 'suspended') await this.inbox.wakeIfUnseen(execution.id);
  }

  private leave(leaving: 'when_idle' | 'now'): void {
    this.leaving = leaving;
    for (const { run } of this.holds.values()) if (run !== null) tell(run, leaving);
    this.quarantine.drain();
  }

  /** As it is when the run begins; what changes meanwhile is seen by later executions. */
  private async sessionState(sessionId: string): Promise<JsonObject> {
    return (await this.sessions.find(sessionId))?.state ?? {};
  }

  /** What does not compile here may do so later, or in another process; its time runs on all the same. */
  private async postpone(execution: Execution, error: PlanUnavailableError): Promise<RunLeft> {
    const now = this.clock.now();
    const { startedAt, timeoutAt, activeTime, nodesTotal } = execution.progress;
    const endsAt = endsAtOf(execution.progress);
    try {
      if (startedAt !== null && endsAt !== null && Date.parse(endsAt) <= now) {
        const state = await this.states.current(execution);
        const limitMs = activeTime?.limitMs ?? Date.parse(timeoutAt ?? endsAt) - Date.parse(startedAt);
        const ended = await this.executions.advance(
          execution,
          [timedOut(nodesTotal, limitMs / 1_000, state, now)],
          true,
          { writes: this.cancellation.endWrites(execution, state), born: [] },
        );
        await this.cancellation.afterEnd(ended, state);
        return { wakeAt: null };
      }
      this.logger.warn({ ...logFields(execution) }, error.message);
      const later = Math.min(now + RETRY_UNAVAILABLE_MS, endsAt === null ? Infinity : Date.parse(endsAt));
      await this.executions.handBack(execution, isoTime(later), WORKFLOW_UNAVAILABLE);
      return { wakeAt: later };
    } catch (fault) {
      this.logger.error({ err: fault, ...logFields(execution) }, 'An execution could not be postponed.');
      return { wakeAt: await this.giveUp(execution) };
    }
  }

  /** After a fault of the service: another claim, after a while, begins from the journal. */
  private async giveUp(execution: Execution): Promise<number> {
    const later = this.clock.now() + RETRY_AFTER_FAULT_MS;
    try {
      await this.executions.handBack(execution, isoTime(later), 'service_fault');
    } catch (error) {
      this.logger.error({ err: error, ...logFields(execution) }, 'The lease could not be handed back.');
    }
    return later;
  }
}

const RETRY_AFTER_FAULT_MS = 5_000;
const RETRY_UNAVAILABLE_MS = 30_000;

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
  };
}
