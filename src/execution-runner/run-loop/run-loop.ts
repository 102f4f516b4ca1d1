import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  fold,
  type Plan,
  recovered,
  recoveryExhausted,
  type EvaluationContext,
  type ExecutionState,
  timedOut,
} from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { inBackground } from '../../database/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SessionsService } from '../../sessions/index.js';
import { type CompiledWorkflow, PlanCache, PlanUnavailableError } from '../../workflows/index.js';
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
import { madeProgress, type RunCheckpoints } from '../../journal/index.js';
import { CachingRunnerPort } from '../ports/caching-runner.port.js';
import { SecretResolverPort } from '../ports/secret-resolver.port.js';
import { SecretAttempts } from '../secrets/secret-attempts.js';
import { RunResources } from '../../run-memory/index.js';
import { type AttemptRunner, NodeRunner } from './node-runner.js';
import { RunInbox } from './run-inbox.js';
import { Run, type RunContext, type RunEnd } from './run.js';
import { CrashQuarantine } from './crash-quarantine.js';
import { StateLoader } from './state-loader.js';

/**
 * Milliseconds that all runs together have to hand over their executions at shutdown. Each hand-over is a separate
 * commit.
 */
const HAND_OVER_MS = 1_500;

/** State of an execution that runs in this process. */
interface ActiveRun {
  readonly epoch: number;
  /** The run of the execution. Null until the execution is loaded. */
  run: Run | null;
  /** True if a message arrived for the execution, so that its run must read the inbox. */
  hasMessage: boolean;
}

/** When an execution runs again after the end of a run. */
export interface NextRun {
  /** Time at which the execution becomes runnable, in epoch milliseconds; null if no time is scheduled. */
  readonly wakeAt: number | null;
}

/** A new execution that has run in memory up to its first effect, but is not committed yet. */
export interface BegunRun {
  /** Events that must be committed together with the start of the execution. */
  readonly decided: readonly JournalEvent[];
  /** Maximum total size of the events of an execution, in bytes. */
  readonly maxBytes: number;
  /**
   * Replaces the events in `decided` by a failure, because the size of the execution's events exceeds `maxBytes`.
   *
   * @param bytes size of all events of the first commit
   * @returns events that must be committed instead of `decided`
   */
  endTooLarge(bytes: number): readonly JournalEvent[];
  /**
   * Runs the execution until it ends, is suspended or loses its lease. The caller must call this method after the
   * commit of the start. The returned promise never rejects.
   *
   * @returns null if the execution has already ended
   */
  go(written: Execution): Promise<NextRun> | null;
  /**
   * Releases the memory that is reserved for the execution. The caller must call this method if the commit of the start
   * fails.
   */
  discard(): void;
}

export interface RunningExecution {
  readonly id: string;
  /** Epoch of the lease under which the execution runs in this process. */
  readonly epoch: number;
  /** Stops the run. The caller must call this method when this process has lost the lease. */
  stop(): void;
}

/** Runs the executions whose leases this process has. */
@Injectable()
export class RunLoop {
  private readonly logger = new Logger(RunLoop.name);
  private readonly activeRuns = new Map<string, ActiveRun>();
  private handOver: 'no' | 'when_idle' | 'now' = 'no';

  constructor(
    @Inject(ExecutionRepository)
    private readonly executions: Pick<ExecutionRepository, 'advance' | 'handBack' | 'release'>,
    @Inject(StateLoader)
    private readonly states: Pick<StateLoader, 'checkpointsOf' | 'current' | 'load'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of' | 'nameOf'>,
    @Inject(SessionsService) private readonly sessions: Pick<SessionsService, 'find'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'read' | 'empty' | 'notifyRunnable' | 'wakeIfUnseen'>,
    @Inject(Cancellation)
    private readonly cancellation: Pick<
      Cancellation,
      'cancelBelowEnded' | 'cancelChild' | 'endWrites' | 'afterEnd'
    >,
    @Inject(NodeRunner) private readonly nodeRunner: AttemptRunner,
    @Inject(CachingRunnerPort) private readonly cachingRunner: Pick<CachingRunnerPort, 'adapter'>,
    private readonly quarantine: CrashQuarantine,
    @Inject(RunResources)
    private readonly resources: Pick<RunResources, 'maxBytes' | 'memory' | 'valuesOf'>,
    @Inject(SecretResolverPort) private readonly secrets: Pick<SecretResolverPort, 'adapter'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns true if this process runs an execution under the lease with the given epoch. */
  runs(id: string, epoch: number): boolean {
    return this.activeRuns.get(id)?.epoch === epoch;
  }

  /** Makes a running execution read its inbox. Has no effect if the execution does not run in this process. */
  nudge(id: string): void {
    const active = this.activeRuns.get(id);
    if (active === undefined) return;
    active.hasMessage = true;
    active.run?.nudge();
  }

  /**
   * Stops the run of a cancelled execution, whose lease was revoked. Has no effect if the execution does not run in
   * this process.
   */
  stop(id: string): void {
    this.activeRuns.get(id)?.run?.stop();
  }

  /** True if every run in this process waits for a timer or a message, and no attempt is running. */
  get isIdle(): boolean {
    return [...this.activeRuns.values()].every(({ run }) => run?.isIdle === true);
  }

  running(): readonly RunningExecution[] {
    return [...this.activeRuns].map(([id, active]) => ({
      id,
      epoch: active.epoch,
      stop: () => active.run?.stop(),
    }));
  }

  /** Runs a claimed execution until it ends, is suspended or loses its lease. Never rejects. */
  run(execution: Execution): Promise<NextRun> {
    return this.track(execution, (active) => this.runClaimed(execution, active));
  }

  /**
   * Runs a new execution in memory up to its first effect, before the execution is committed. The execution counts as
   * running only after the commit, because other processes cannot see it earlier.
   *
   * @param events events of the execution so far
   * @param compiled the execution's version of the workflow
   */
  async begin(
    execution: Execution,
    events: readonly JournalEvent[],
    { plan, mayReadName }: CompiledWorkflow,
  ): Promise<BegunRun> {
    const evaluation = await this.evaluationContextOf(execution, mayReadName);
    const inbox = new RunInbox(execution.id, this.inbox, []);
    const values = this.resources.valuesOf(execution.id);
    const context = this.contextOf(execution, plan, this.states.checkpointsOf(execution.id, plan));
    const run = new Run(execution, fold(events), plan, evaluation, inbox, values, context);
    return {
      decided: await run.begin(),
      maxBytes: context.maxBytes,
      endTooLarge: (bytes) => run.endTooLarge(bytes),
      go: (written) => {
        run.started(written);
        return hasEnded(written) ? null : inBackground(() => this.resume(written, run));
      },
      discard: () => run.discard(),
    };
  }

  private resume(execution: Execution, run: Run): Promise<NextRun> {
    return this.track(execution, async (active) => {
      this.attach(active, run);
      await this.afterRun(execution, run, await run.go([]));
      return { wakeAt: run.wakeAt };
    });
  }

  private contextOf(running: Execution, { config }: Plan, checkpoints: RunCheckpoints): RunContext {
    const { executions, clock, inbox, cancellation, resources, secrets } = this;
    const attempts = config.cache_enabled ? this.cachingRunner.adapter : this.nodeRunner;
    return {
      executions,
      checkpoints,
      clock,
      memory: resources.memory,
      maxBytes: resources.maxBytes,
      random: Math.random,
      runner: new SecretAttempts(attempts, secrets),
      onChildrenStarted: () => inbox.notifyRunnable(),
      endWrites: (execution, state) => cancellation.endWrites(execution, state),
      onChildAbandoned: (childId) => void this.cancelAbandonedChild(childId, running),
    };
  }

  /**
   * Cancels a child execution for which the parent no longer waits. If the cancellation fails, the child is cancelled
   * after the end of the parent.
   */
  private async cancelAbandonedChild(childId: string, parent: Execution): Promise<void> {
    try {
      await this.cancellation.cancelChild(childId, `Its parent ${parent.id} no longer waits for it.`);
    } catch (error) {
      this.logger.warn(
        { err: error, ...logFields(parent), child_execution_id: childId },
        'A child could not be cancelled.',
      );
    }
  }

  private async track(execution: Execution, work: (active: ActiveRun) => Promise<NextRun>): Promise<NextRun> {
    const active: ActiveRun = { epoch: execution.lease.epoch, run: null, hasMessage: false };
    // Stops an earlier run of the same execution. Such a run exists if another process took over the execution before
    // this process claimed it again.
    this.activeRuns.get(execution.id)?.run?.stop();
    this.activeRuns.set(execution.id, active);
    try {
      return await work(active);
    } catch (error) {
      if (error instanceof PlanUnavailableError) return await this.postpone(execution, error);
      if (error instanceof AncestorEndedError) return await this.cancelBelowEndedAncestor(execution);
      this.logger.error(
        { err: error, ...logFields(execution) },
        'The run of an execution failed; it will be claimed again.',
      );
      return { wakeAt: await this.releaseAfterError(execution) };
    } finally {
      if (this.activeRuns.get(execution.id) === active) this.activeRuns.delete(execution.id);
    }
  }

  /** Cancels an execution because one of its ancestors has ended. */
  private async cancelBelowEndedAncestor(execution: Execution): Promise<NextRun> {
    try {
      if (await this.cancellation.cancelBelowEnded(execution)) return { wakeAt: null };
    } catch (error) {
      this.logger.warn({ err: error, ...logFields(execution) }, 'A descendant could not be cancelled.');
    }
    return { wakeAt: await this.releaseAfterError(execution) };
  }

  /**
   * Ends all runs at shutdown. No run starts further attempts. After the grace period, the remaining runs abort their
   * attempts and hand over their executions. After another 1.5 s, the runs that have not finished are stopped without a
   * hand-over.
   *
   * @param graceMs grace period for running attempts, in milliseconds
   */
  async drain(graceMs: number): Promise<void> {
    this.endRuns('when_idle');
    await this.waitForRuns(graceMs);
    this.endRuns('now');
    await this.waitForRuns(HAND_OVER_MS);
    for (const { run } of this.activeRuns.values()) run?.stop();
  }

  /** Resolves when all runs have ended, or after `ms` milliseconds. */
  private async waitForRuns(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (this.activeRuns.size > 0 && performance.now() < deadline) await pause(20);
  }

  private async runClaimed({ bodies = null, ...execution }: Execution, active: ActiveRun): Promise<NextRun> {
    if (await this.cancellation.cancelBelowEnded(execution)) return { wakeAt: null };
    const { plan, mayReadName } = await this.plans.of(execution.workflowId, execution.workflowVersion);
    const evaluation = await this.evaluationContextOf(execution, mayReadName);
    const { status, statusReason } = execution.progress;
    const values = this.resources.valuesOf(execution.id);
    const loaded = await this.states.load({ ...execution, bodies }, plan, evaluation, values);
    const { state, bytes } = loaded;
    const isRecovery = status === 'running' || statusReason === HOLDER_LOST || state.running > 0;
    const recoveries = isRecovery ? loaded.recoveries : 0;
    if (this.quarantine.isExhausted(recoveries)) {
      this.quarantine.release();
      return this.endWithoutRun(execution, recoveryExhausted(plan, state, this.clock.now()), state);
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
    const run = new Run({ ...execution, bytes }, state, plan, evaluation, inbox, values, context);
    this.attach(active, run);
    const cause = statusReason === HANDED_OVER ? 'hand_over' : 'crash';
    const end = await this.quarantine.run(recoveries, (cleared): Promise<RunEnd> => {
      clear = cleared;
      return run.go(isRecovery ? [recovered(state, this.clock.now(), cause)] : []);
    });
    await this.afterRun(execution, run, end);
    return { wakeAt: run.wakeAt };
  }

  private async evaluationContextOf(execution: Execution, mayReadName: boolean): Promise<EvaluationContext> {
    const { workflowId: id, workflowVersion: version } = execution;
    const name = mayReadName ? await this.plans.nameOf(id) : '';
    const sessionState = execution.sessionId === null ? {} : await this.sessionState(execution.sessionId);
    return {
      workflow: { id, name, version },
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

  private attach(active: ActiveRun, run: Run): void {
    active.run = run;
    if (active.hasMessage) run.nudge();
    applyHandOver(run, this.handOver);
  }

  private async afterRun(execution: Execution, run: Run, end: RunEnd): Promise<void> {
    if (end === 'ended') await this.cancellation.afterEnd(execution, run.currentState);
    if (end === 'suspended') await this.inbox.wakeIfUnseen(execution.id);
  }

  private endRuns(handOver: 'when_idle' | 'now'): void {
    this.handOver = handOver;
    for (const { run } of this.activeRuns.values()) if (run !== null) applyHandOver(run, handOver);
    this.quarantine.drain();
  }

  /** Returns the current state of a session. Later changes of the state are not visible to the run. */
  private async sessionState(sessionId: string): Promise<JsonObject> {
    return (await this.sessions.find(sessionId))?.state ?? {};
  }

  /**
   * Postpones an execution whose workflow does not compile in this process. Another process may be able to compile the
   * workflow. If the execution's timeout is reached, the execution ends as timed out instead.
   */
  private async postpone(execution: Execution, error: PlanUnavailableError): Promise<NextRun> {
    const now = this.clock.now();
    const { startedAt, timeoutAt, activeTime, nodesTotal } = execution.progress;
    const endsAt = endsAtOf(execution.progress);
    try {
      if (startedAt !== null && endsAt !== null && Date.parse(endsAt) <= now) {
        const state = await this.states.current(execution);
        const limitMs = activeTime?.limitMs ?? Date.parse(timeoutAt ?? endsAt) - Date.parse(startedAt);
        return await this.endWithoutRun(execution, timedOut(nodesTotal, limitMs / 1_000, state, now), state);
      }
      this.logger.warn({ ...logFields(execution) }, error.message);
      const later = Math.min(now + RETRY_UNAVAILABLE_MS, endsAt === null ? Infinity : Date.parse(endsAt));
      await this.executions.handBack(execution, isoTime(later), WORKFLOW_UNAVAILABLE);
      return { wakeAt: later };
    } catch (fault) {
      this.logger.error({ err: fault, ...logFields(execution) }, 'An execution could not be postponed.');
      return { wakeAt: await this.releaseAfterError(execution) };
    }
  }

  /** Commits the final event of an execution that no run can end, and deletes the messages in its inbox. */
  private async endWithoutRun(
    execution: Execution,
    event: JournalEvent,
    state: ExecutionState,
  ): Promise<NextRun> {
    const writes = [this.inbox.empty(execution.id), ...this.cancellation.endWrites(execution, state)];
    const ended = await this.executions.advance(execution, [event], true, { writes, children: [] });
    await this.cancellation.afterEnd(ended, state);
    return { wakeAt: null };
  }

  /**
   * Releases the lease of an execution after an internal error. After 5 s, any process can claim the execution and
   * continue from its journal.
   */
  private async releaseAfterError(execution: Execution): Promise<number> {
    const later = this.clock.now() + RETRY_AFTER_FAULT_MS;
    try {
      await this.executions.handBack(execution, isoTime(later), 'service_fault');
    } catch (error) {
      this.logger.error({ err: error, ...logFields(execution) }, 'The lease could not be released.');
    }
    return later;
  }
}

const RETRY_AFTER_FAULT_MS = 5_000;
const RETRY_UNAVAILABLE_MS = 30_000;

function applyHandOver(run: Run, handOver: 'no' | 'when_idle' | 'now'): void {
  if (handOver === 'when_idle') run.drain();
  else if (handOver === 'now') run.abandon();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
