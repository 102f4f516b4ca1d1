import {
  compact,
  type Decision,
  endsAt,
  type ExecutionState,
  executionTooLarge,
  fold,
  isUnderWay,
  keyAt,
  next,
  type Plan,
  progressed,
  type RunOrder,
  settle,
  suspended,
  type EvaluationContext,
} from '../../engine/index.js';
import { INLINE_LIMIT, LongValue, ValuesNotLoadedError } from '../../long-values/index.js';
import { isFinal, type JournalEvent } from '../../execution-events/index.js';
import { JournalFullError, type RunCheckpoints } from '../../journal/index.js';
import { type Clock, isoTime, setAlarm } from '../../platform/index.js';
import type { Write } from '../../storage/index.js';
import {
  type NewExecution,
  type Execution,
  HANDED_OVER,
  type ExecutionRepository,
  LeaseLostError,
} from '../../execution-store/index.js';
import { type RunMemory, type RunValues, StateBytes } from '../../run-memory/index.js';
import { AbortControllers } from './abort-controllers.ts';
import { LoopChildren } from './loop-children.js';
import type { NodeRunner, RunnerOutcome } from './node-runner.js';
import type { RunInbox } from './run-inbox.js';

/**
 * Maximum wait in milliseconds during which an execution stays in memory. An execution with a longer wait is suspended.
 */
const MAX_WAIT_IN_MEMORY_MS = 5_000;

/** Maximum number of uncommitted events of an execution. Once it is reached, even pure nodes wait for a commit. */
const MAX_UNCOMMITTED = 256;

/**
 * Maximum total size of uncommitted long values of an execution, in characters of JSON. Once it is reached, even pure
 * nodes wait for a commit.
 */
const MAX_UNCOMMITTED_SIZE = 1024 * 1024;

/**
 * Maximum time in milliseconds for which a run decides and runs pure nodes without yielding to other runs. After this
 * time, even pure nodes wait for a commit.
 */
const MAX_DECIDING_MS = 10;

/** Minimum interval in milliseconds between two progress events of the same node. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Why a run ended: the execution ended, was suspended, was taken over by another process, or was handed over. */
export type RunEnd = 'ended' | 'suspended' | 'lost' | 'handed_over';

/** Services and limits that a process provides for a run. */
export interface RunContext {
  readonly executions: Pick<ExecutionRepository, 'advance' | 'handBack' | 'release'>;
  readonly runner: Pick<NodeRunner, 'run'>;
  readonly checkpoints: Pick<RunCheckpoints, 'committed' | 'due'>;
  readonly clock: Clock;
  readonly memory: Pick<RunMemory, 'hold'>;
  /** Maximum total size of the stored events of the execution, in bytes. */
  readonly maxBytes: number;
  /** Source of random numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Called after a commit of new child executions, which any process may claim. */
  readonly onChildrenStarted: () => void;
  /** Returns additional writes that belong in the commit that ends the execution. */
  readonly endWrites: (execution: Execution, state: ExecutionState) => readonly Write[];
  /** Called with the events of each commit. Absent if no listener needs the events. */
  readonly onCommitted?: (events: readonly JournalEvent[]) => void;
  /** Called with the id of a child execution for which this execution no longer waits. */
  readonly onChildAbandoned: (childId: string) => void;
}

type SettledOutcome = Exclude<RunnerOutcome, { readonly kind: 'interrupted' }>;

type RunResult = { readonly order: RunOrder } & (
  | { readonly kind: 'outcome'; readonly outcome: SettledOutcome }
  | { readonly kind: 'progress'; readonly fraction: number; readonly message: string | null }
);

/** Result of one or more decisions: attempts to start, the time of the next timer, and long values to load. */
interface Round {
  readonly effects: readonly RunOrder[];
  readonly wakeAt: number | null;
  /** Separately stored values that the run must load before it can decide what the execution does next. */
  readonly missing: readonly LongValue[];
}

/**
 * Memory for the inputs of the attempts that one decision starts. It is reserved until all of these attempts have
 * ended.
 */
interface HeldInputs {
  readonly bytes: number;
  open: number;
}

/**
 * Drives one execution while this process has its lease. Each round of a run decides what to do, commits events, runs
 * nodes, and adds their results to the state. The state stays in memory, so a run does not read the events that it has
 * written.
 */
export class Run {
  private readonly aborters = new AbortControllers();
  private readonly reportedAt = new Map<string, number>();
  private results: RunResult[] = [];
  /** Events that the state includes but that are not committed yet. */
  private uncommitted: JournalEvent[] = [];
  /** State of the execution after the committed events. */
  private durable: ExecutionState;
  /** Total size of the long values that are not committed yet, in characters of JSON. */
  private uncommittedSize = 0;
  /** Number of bytes of memory that are reserved for this execution. */
  private held = 0;
  private readonly stateBytes = new StateBytes();
  /** The part of `held` that is reserved for the state of the execution, in bytes. */
  private heldState = 0;
  private isClosed = false;
  private readonly inputs = new Map<RunOrder, HeldInputs>();
  /** Child executions that must be committed together with the uncommitted events. */
  private startedChildren: NewExecution[] = [];
  private readonly evaluation: EvaluationContext;
  private readonly children: LoopChildren | null;
  private inFlight = 0;
  private isWaiting = false;
  private nudged = false;
  private handOver: 'no' | 'when_idle' | 'now' = 'no';
  private lost = false;
  /** True if a shutdown has interrupted an attempt. */
  private interrupted = false;
  private wake: () => void = () => undefined;
  /** First round of a new execution, until the run loop continues with this round. Null at all other times. */
  private firstRound: Round | null = null;

  constructor(
    private execution: Execution,
    private state: ExecutionState,
    private readonly plan: Plan,
    evaluation: EvaluationContext,
    private readonly inbox: RunInbox,
    private readonly values: RunValues,
    private readonly context: RunContext,
  ) {
    this.evaluation = { ...evaluation, read: values.read };
    this.durable = state;
    this.children = plan.loops.length === 0 ? null : new LoopChildren(state);
  }

  /**
   * Time at which the suspended execution becomes runnable, in epoch milliseconds. Null if the execution is not
   * scheduled.
   */
  get wakeAt(): number | null {
    const { runnableAt } = this.execution.progress;
    return runnableAt === null ? null : Date.parse(runnableAt);
  }

  /** True if no attempt is running and the run waits for a timer or a message. */
  get isIdle(): boolean {
    return this.isWaiting && this.inFlight === 0;
  }

  /** State of the execution after all events, including uncommitted ones. */
  get currentState(): ExecutionState {
    return this.state;
  }

  /**
   * Makes the first decisions for a new execution, before its start is committed. An execution with only pure nodes
   * then needs a single commit.
   *
   * @returns events that must be committed together with the start
   */
  async begin(): Promise<readonly JournalEvent[]> {
    try {
      const round = this.decide();
      this.firstRound =
        round.missing.length === 0 ? round : await this.withValues(round, () => Promise.resolve());
      return this.uncommitted.splice(0);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Fails a new execution whose first events exceed the size limit.
   *
   * @param bytes size of all events of the first commit
   * @returns events that must be committed instead of the events that `begin` returned
   */
  endTooLarge(bytes: number): readonly JournalEvent[] {
    this.recordTooLarge(bytes);
    return this.uncommitted.splice(0);
  }

  /**
   * Records that the start and the first events of a new execution are committed. The caller must call this method
   * after the commit.
   */
  started(written: Execution): void {
    this.durable = this.state;
    this.hold(-this.uncommittedSize);
    this.uncommittedSize = 0;
    this.replaceLongInput(written);
    if (isFinal(this.state.status)) this.close();
    else this.holdState(this.stateBytes.after(written.bytes ?? 0, this.state));
  }

  /** Releases the memory of a new execution. The caller must call this method if the commit of the start fails. */
  discard(): void {
    this.close();
  }

  /**
   * Runs the execution until it ends, is suspended or loses its lease.
   *
   * @param first events to commit before the first decision. A recovery is among them, so that it counts even if the
   * next step crashes the process.
   * @throws Error only on internal errors
   */
  async go(first: readonly JournalEvent[]): Promise<RunEnd> {
    try {
      if (this.lost) return 'lost';
      if (this.handOver !== 'no') return await this.handBack();
      // For a new execution, the method `started` has already reserved memory for the state.
      if (this.firstRound === null) this.holdState(this.stateBytes.of(this.state));
      this.record(first);
      await this.commit(false);
      for (;;) {
        if (this.firstRound === null) await this.readInbox();
        let round = this.firstRound ?? (this.handOver === 'no' ? this.decide() : EMPTY_ROUND);
        this.firstRound = null;
        if (round.missing.length > 0) round = await this.withValues(round, () => this.commit(false));
        await this.commit(false);
        for (const id of this.children?.abandoned(this.state) ?? []) this.context.onChildAbandoned(id);
        if (isFinal(this.state.status)) return 'ended';
        this.aborters.abortEndedLoops(this.state);
        // A loop may have ended since the decision to start its attempts. Those attempts are not started.
        const due = round.effects.filter((order) => isUnderWay(this.state, order));
        const settledAtOnce = due.filter((order) => this.launch(order)).length > 0;
        if (!settledAtOnce) {
          const end = await this.waitForWork(round.wakeAt);
          if (end !== null) return end;
        }
        this.applyResults();
      }
    } catch (error) {
      if (error instanceof LeaseLostError) return 'lost';
      throw error;
    } finally {
      this.close();
    }
  }

  /** Stops the run immediately and without further writes, because the lease was lost or revoked. */
  stop(): void {
    this.lost = true;
    this.aborters.abort();
    this.wake();
  }

  /** Makes the run read its inbox before its next decision. */
  nudge(): void {
    this.nudged = true;
    this.wake();
  }

  /** Starts no further attempts, and hands over the execution when the running attempts have ended. */
  drain(): void {
    if (this.handOver === 'no') this.handOver = 'when_idle';
    this.wake();
  }

  /** Aborts the running attempts and hands over the execution now. Another process runs the aborted attempts again. */
  abandon(): void {
    this.handOver = 'now';
    this.wake();
  }

  private async readInbox(): Promise<void> {
    if (!this.nudged) return;
    this.nudged = false;
    await this.inbox.refresh();
  }

  /**
   * Makes decisions, and runs pure nodes between them without a commit, until the run must wait. After
   * `MAX_UNCOMMITTED`, `MAX_UNCOMMITTED_SIZE` or `MAX_DECIDING_MS` is reached, pure nodes wait for a commit like other
   * nodes.
   */
  private decide(): Round {
    const effects: RunOrder[] = [];
    let wakeAt: number | null = null;
    const startedAt = this.context.clock.now();
    for (;;) {
      const now = this.context.clock.now();
      const mustCommit =
        this.uncommitted.length >= MAX_UNCOMMITTED ||
        this.uncommittedSize >= MAX_UNCOMMITTED_SIZE ||
        now - startedAt >= MAX_DECIDING_MS;
      let decision: Decision;
      try {
        this.state = compact(this.plan, this.state, this.evaluation);
        decision = next(this.plan, this.state, now, this.evaluation, this.inbox.messages);
      } catch (error) {
        if (!(error instanceof ValuesNotLoadedError)) throw error;
        return { effects, wakeAt, missing: error.values };
      }
      this.state = decision.state;
      if (decision.inputSize > INLINE_LIMIT) this.holdInputs(decision);
      for (const event of decision.events) this.uncommitted.push(event);
      this.inbox.consume(decision.consumed);
      ({ wakeAt } = decision);
      let settledHere = false;
      for (const order of decision.runs) {
        if (mustCommit || order.node.type.capabilities.pure !== true) effects.push(order);
        else settledHere = this.launch(order) || settledHere;
      }
      if (!settledHere) return { effects, wakeAt, missing: [] };
    }
  }

  /**
   * Completes a round that needs long values. Loads the missing values and decides again, until no value is missing.
   */
  private async withValues(first: Round, commit: () => Promise<void>): Promise<Round> {
    let round = first;
    try {
      while (round.missing.length > 0) {
        // The commit comes first, so that uncommitted events and loaded values are not in memory at the same time.
        await commit();
        if (isFinal(this.state.status)) return round;
        await this.values.load(round.missing);
        const after = this.decide();
        round = { ...after, effects: [...round.effects, ...after.effects] };
      }
      return round;
    } finally {
      this.values.releaseLoaded();
    }
  }

  private hold(bytes: number): void {
    if (bytes === 0 || this.isClosed) return;
    this.held += bytes;
    this.context.memory.hold(bytes);
  }

  private holdState(bytes: number): void {
    this.hold(bytes - this.heldState);
    this.heldState = bytes;
  }

  private holdInputs({ runs, inputSize }: Decision): void {
    this.uncommittedSize += inputSize;
    this.hold(inputSize);
    if (runs.length === 0) return;
    const inputs: HeldInputs = { bytes: inputSize, open: runs.length };
    this.hold(inputSize);
    for (const order of runs) this.inputs.set(order, inputs);
  }

  private releaseInput(order: RunOrder): void {
    const inputs = this.inputs.get(order);
    if (inputs === undefined) return;
    this.inputs.delete(order);
    inputs.open -= 1;
    if (inputs.open === 0) this.hold(-inputs.bytes);
  }

  /**
   * Replaces a long input in the state by a reference, because the journal now contains the input. Expressions load the
   * input on demand.
   */
  private replaceLongInput(written: Execution): void {
    this.execution = written;
    const { input } = this.state;
    if (input instanceof LongValue) return;
    const size = JSON.stringify(input).length;
    if (size <= INLINE_LIMIT) return;
    const reference = LongValue.storedAt({ executionId: null, sequence: 1, field: 'input' }, size);
    this.state = { ...this.state, input: reference };
    this.durable = this.state;
    this.execution = { ...written, input: reference };
  }

  /** Ends the run: releases all of its memory and aborts its running attempts. */
  private close(): void {
    if (this.inFlight > 0) this.aborters.abort();
    for (const result of this.results) if (result.kind === 'outcome') releaseAdmissionOf(result.outcome);
    for (const child of this.startedChildren) child.settled?.();
    this.values.close();
    this.hold(-this.held);
    this.isClosed = true;
  }

  /**
   * Starts an attempt.
   *
   * @returns true if the attempt ended synchronously
   */
  private launch(order: RunOrder): boolean {
    const report = (fraction: number, message?: string): void =>
      this.report(order, fraction, message ?? null);
    const outcome = this.context.runner.run(this.execution, order, this.aborters.signalFor(order), report);
    if (!(outcome instanceof Promise)) {
      this.releaseInput(order);
      this.hold(longOutput(outcome));
      if (outcome.kind === 'interrupted') return this.interrupt();
      this.settle(order, outcome);
      return true;
    }
    this.inFlight += 1;
    void outcome.then((value) => {
      this.inFlight -= 1;
      this.releaseInput(order);
      this.hold(longOutput(value));
      if (this.isClosed) releaseAdmissionOf(value);
      else if (value.kind === 'interrupted') this.interrupt();
      else this.addResult({ kind: 'outcome', order, outcome: value });
    });
    return false;
  }

  private interrupt(): false {
    this.interrupted = true;
    this.wake();
    return false;
  }

  /**
   * Waits for the result of an attempt, a message or the next timer.
   *
   * @returns the result of the run if the run ends, else null
   */
  private async waitForWork(wakeAt: number | null): Promise<RunEnd | null> {
    while (this.results.length === 0) {
      if (this.lost) return 'lost';
      if (this.handOver === 'now') return await this.handBack();
      const now = this.context.clock.now();
      if (this.nudged && this.handOver === 'no') return null;
      const isPaused = this.state.status === 'paused';
      if (this.inFlight === 0) {
        if (this.interrupted) return await this.handBack();
        if (isPaused) return await this.release(endsAt(this.state));
        if (this.handOver === 'when_idle')
          return this.state.startedAt === null
            ? await this.handBack()
            : await this.suspend(now, 'handed_over');
        if (wakeAt === null || wakeAt > now + MAX_WAIT_IN_MEMORY_MS) return await this.sleep(wakeAt);
      }
      // Active time passes while the run is in memory. The execution may therefore time out before its next timer is
      // due.
      const dueAt = earliest(wakeAt, this.state.timeoutAt);
      if (this.handOver === 'no' && dueAt !== null && dueAt <= now) return null;
      await this.waitUntil(this.handOver === 'no' ? dueAt : null);
    }
    if (this.lost) return 'lost';
    return this.handOver === 'now' ? await this.handBack() : null;
  }

  /** Suspends the execution. No event is recorded if nothing has happened since the claim. */
  private sleep(wakeAt: number | null): Promise<RunEnd> {
    return this.state.status === 'running' ? this.suspend(wakeAt, 'suspended') : this.release(wakeAt);
  }

  private async release(wakeAt: number | null): Promise<RunEnd> {
    const runnableAt = wakeAt === null ? null : isoTime(wakeAt);
    const writes = this.inbox.writes(false, isoTime(this.context.clock.now()));
    this.execution = await this.context.executions.release(this.execution, runnableAt, writes);
    return 'suspended';
  }

  private async suspend(wakeAt: number | null, end: RunEnd): Promise<RunEnd> {
    this.record([suspended(this.state, this.context.clock.now(), wakeAt)]);
    await this.commit(true);
    return isFinal(this.state.status) ? 'ended' : end;
  }

  private async handBack(): Promise<RunEnd> {
    await this.context.executions.handBack(this.execution, isoTime(this.context.clock.now()), HANDED_OVER);
    return 'handed_over';
  }

  /**
   * Resolves when a result or a message arrives, or at the given time.
   *
   * @param at epoch milliseconds; null for no time limit
   */
  private async waitUntil(at: number | null): Promise<void> {
    this.isWaiting = true;
    await new Promise<void>((resolve) => {
      const cancel =
        at === null
          ? () => undefined
          : setAlarm(this.context.clock, { at, keepsAlive: true }, () => this.wake());
      this.wake = () => {
        cancel();
        this.wake = () => undefined;
        resolve();
      };
    });
    this.isWaiting = false;
  }

  private addResult(result: RunResult): void {
    this.results.push(result);
    this.wake();
  }

  private applyResults(): void {
    const results = this.results;
    this.results = [];
    for (const result of results) {
      if (result.kind === 'outcome') this.settle(result.order, result.outcome);
      else if (isUnderWay(this.state, result.order))
        this.record([progressed(result.order, result.fraction, result.message, this.context.clock.now())]);
    }
  }

  private settle(order: RunOrder, outcome: SettledOutcome): void {
    this.reportedAt.delete(keyAt(order.node.id, order.iteration));
    if (!isUnderWay(this.state, order)) {
      this.hold(-longOutput(outcome));
      releaseAdmissionOf(outcome);
      return;
    }
    this.uncommittedSize += longOutput(outcome);
    if (outcome.kind === 'child') {
      this.startedChildren.push(outcome.child);
      this.children?.add(order, outcome.executionId);
    }
    this.record([
      settle(this.plan, this.state, order, outcome, this.context.clock.now(), this.context.random()),
    ]);
  }

  private report(order: RunOrder, fraction: number, message: string | null): void {
    const now = this.context.clock.now();
    const key = keyAt(order.node.id, order.iteration);
    if (now - (this.reportedAt.get(key) ?? 0) < PROGRESS_INTERVAL_MS) return;
    this.reportedAt.set(key, now);
    this.addResult({ kind: 'progress', order, fraction, message });
  }

  private record(events: readonly JournalEvent[]): void {
    this.state = fold(events, this.state);
    for (const event of events) this.uncommitted.push(event);
  }

  private async commit(release: boolean): Promise<void> {
    if (this.uncommitted.length === 0) return;
    try {
      await this.write(release, this.context.maxBytes - (this.execution.bytes ?? 0));
    } catch (error) {
      if (!(error instanceof JournalFullError)) throw error;
      await this.failAsTooLarge(error.bytes);
    }
  }

  /**
   * Commits the events that are not committed yet.
   *
   * @param release true if the commit also releases the lease
   * @param room maximum total size of the events in bytes
   */
  private async write(release: boolean, room: number): Promise<void> {
    const { uncommitted: events, uncommittedSize, startedChildren: children } = this;
    this.uncommitted = [];
    this.uncommittedSize = 0;
    this.startedChildren = [];
    const hasEnded = isFinal(this.state.status);
    const writes = this.inbox.writes(hasEnded, isoTime(this.context.clock.now()));
    const atEnd = hasEnded ? this.context.endWrites(this.execution, this.state) : [];
    const before = this.execution.bytes ?? 0;
    const checkpoint = hasEnded
      ? null
      : this.context.checkpoints.due(this.durable, this.state.sequence, before);
    const sameCommit = {
      writes: [...writes, ...atEnd, ...(checkpoint === null ? [] : [checkpoint.statement])],
      children,
    };
    try {
      this.execution = await this.context.executions.advance(
        this.execution,
        events,
        release || hasEnded,
        sameCommit,
        room,
      );
    } finally {
      this.hold(-uncommittedSize);
    }
    this.state = this.context.checkpoints.committed(events, checkpoint, this.state);
    this.durable = this.state;
    if (!hasEnded && !release)
      this.holdState(this.stateBytes.after((this.execution.bytes ?? 0) - before, this.state));
    this.context.onCommitted?.(events);
    if (children.length > 0) this.context.onChildrenStarted();
  }

  /**
   * Fails the execution because it exceeds the size limit. Discards the uncommitted events, and appends the failure to
   * the committed events.
   */
  private async failAsTooLarge(more: number): Promise<void> {
    this.recordTooLarge((this.execution.bytes ?? 0) + more);
    await this.write(true, Infinity);
  }

  private recordTooLarge(bytes: number): void {
    const limit = this.context.maxBytes;
    this.state = this.durable;
    this.record([executionTooLarge(this.plan, this.state, this.context.clock.now(), { bytes, limit })]);
  }
}

const EMPTY_ROUND: Round = { effects: [], wakeAt: null, missing: [] };

/**
 * Ends the pending admission of a child execution. The child then no longer counts towards the limits,
 * because its start is never committed.
 */
function releaseAdmissionOf(outcome: RunnerOutcome): void {
  if (outcome.kind === 'child') outcome.child.settled?.();
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * Returns the size of a long output in characters of JSON, and 0 for any other outcome. The output stays in memory
 * until its commit.
 */
function longOutput(outcome: RunnerOutcome): number {
  return outcome.kind === 'output' && outcome.output instanceof LongValue ? outcome.output.size : 0;
}
