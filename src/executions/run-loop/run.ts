import {
  type AttemptOutcome,
  type ExecutionState,
  fold,
  isFinal,
  type JournalEvent,
  next,
  type Plan,
  progressed,
  type RunOrder,
  settle,
  suspended,
  type Surroundings,
} from '../../engine/index.js';
import { type Clock, isoTime } from '../../platform/index.js';
import { type Execution, HANDED_OVER } from '../execution.js';
import type { ExecutionRepository } from '../execution.repository.js';
import { LeaseLostError } from '../executions.errors.js';
import type { NodeRunner } from './node-runner.js';

/** Waits up to this long stay in memory; longer ones end the run and sleep in the database. */
const HOLD_MS = 5_000;

/** Events decided but not yet durable, beyond which even a chain of pure nodes is committed. */
const MAX_UNCOMMITTED = 256;

/** Progress of one node is recorded at most this often. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Longest delay that a timer of the runtime takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How a run came to its end: the execution ended, sleeps, is somebody else's, or waits for another process. */
export type RunEnd = 'ended' | 'suspended' | 'lost' | 'handed_over';

/** What a run needs of its process. */
export interface RunContext {
  readonly executions: Pick<ExecutionRepository, 'advance' | 'handBack'>;
  readonly runner: Pick<NodeRunner, 'run'>;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}

type Arrival = { readonly order: RunOrder } & (
  | { readonly kind: 'outcome'; readonly outcome: AttemptOutcome }
  | { readonly kind: 'progress'; readonly fraction: number; readonly message: string | null }
);

/** What a round of deciding left to do. */
interface Round {
  readonly effects: readonly RunOrder[];
  readonly wakeAt: number | null;
  /** There is more to decide as soon as this much is durable. */
  readonly more: boolean;
}

/**
 * One execution while this process holds it: decide, make durable, run, fold in what comes back, again.
 * State and plan stay in memory; nothing is read back that was just written.
 */
export class Run {
  private readonly aborter = new AbortController();
  private readonly reportedAt = new Map<string, number>();
  private arrivals: Arrival[] = [];
  /** Folded into the state, not yet durable. */
  private uncommitted: JournalEvent[] = [];
  private inFlight = 0;
  private leaving: 'no' | 'when_idle' | 'now' = 'no';
  private lost = false;
  private wake: () => void = () => undefined;

  constructor(
    private execution: Execution,
    private state: ExecutionState,
    private readonly plan: Plan,
    private readonly surroundings: Surroundings,
    private readonly context: RunContext,
  ) {}

  /** Epoch milliseconds at which a run that left the execution asleep wants it to be taken up again. */
  get wakeAt(): number | null {
    const { runnableAt } = this.execution.progress;
    return runnableAt === null ? null : Date.parse(runnableAt);
  }

  /**
   * Runs until the execution ends, sleeps or is no longer held here. Rejects only on a fault of the service.
   * @param first events that are made durable before anything else happens: a recovery must count even where
   * what follows ends the process
   */
  async go(first: readonly JournalEvent[]): Promise<RunEnd> {
    try {
      if (this.lost) return 'lost';
      if (this.leaving !== 'no') return await this.handBack();
      this.record(first);
      await this.commit(false);
      for (;;) {
        const round = this.leaving === 'no' ? this.decide() : IDLE;
        await this.commit(false);
        if (isFinal(this.state.status)) return 'ended';
        const settledAtOnce = round.effects.filter((order) => this.launch(order)).length > 0;
        if (!round.more && !settledAtOnce) {
          const end = await this.rest(round.wakeAt);
          if (end !== null) return end;
        }
        this.takeArrivals();
      }
    } catch (error) {
      if (error instanceof LeaseLostError) return 'lost';
      throw error;
    } finally {
      if (this.inFlight > 0) this.aborter.abort();
    }
  }

  /** Somebody else decided about this execution: stop at once and write nothing more. */
  stop(): void {
    this.lost = true;
    this.wake();
  }

  /** Begin nothing new, let finish what runs, then leave the execution to another process. */
  drain(): void {
    if (this.leaving === 'no') this.leaving = 'when_idle';
    this.wake();
  }

  /** Leave now; attempts that run are given up and run again elsewhere. */
  abandon(): void {
    this.leaving = 'now';
    this.wake();
  }

  /** Decides until there is something to wait for. Pure nodes run on the way, without a commit of their own. */
  private decide(): Round {
    const effects: RunOrder[] = [];
    for (;;) {
      const decision = next(this.plan, this.state, this.context.clock.now(), this.surroundings);
      this.record(decision.events);
      let settledHere = false;
      for (const order of decision.runs) {
        if (order.node.type.capabilities.pure !== true) effects.push(order);
        else settledHere = this.launch(order) || settledHere;
      }
      if (!settledHere) return { effects, wakeAt: decision.wakeAt, more: false };
      if (this.uncommitted.length >= MAX_UNCOMMITTED) return { effects, wakeAt: null, more: true };
    }
  }

  /** Starts an attempt. @returns whether it is settled already */
  private launch(order: RunOrder): boolean {
    const report = (fraction: number, message?: string): void =>
      this.report(order, fraction, message ?? null);
    const outcome = this.context.runner.run(this.execution, order, this.aborter.signal, report);
    if (!(outcome instanceof Promise)) {
      this.settle(order, outcome);
      return true;
    }
    this.inFlight += 1;
    void outcome.then((value) => {
      this.inFlight -= 1;
      this.arrive({ kind: 'outcome', order, outcome: value });
    });
    return false;
  }

  /** Waits for something to decide about. @returns how the run ends, where it ends here */
  private async rest(wakeAt: number | null): Promise<RunEnd | null> {
    while (this.arrivals.length === 0) {
      if (this.lost) return 'lost';
      if (this.leaving === 'now') return await this.handBack();
      const now = this.context.clock.now();
      if (this.inFlight === 0) {
        if (this.leaving === 'when_idle')
          return this.state.startedAt === null
            ? await this.handBack()
            : await this.suspend(now, 'handed_over');
        if (wakeAt === null || wakeAt > now + HOLD_MS) return await this.suspend(wakeAt, 'suspended');
      }
      if (this.leaving === 'no' && wakeAt !== null && wakeAt <= now) return null;
      await this.woken(this.leaving === 'no' && wakeAt !== null ? wakeAt - now : null);
    }
    if (this.lost) return 'lost';
    return this.leaving === 'now' ? await this.handBack() : null;
  }

  private async suspend(wakeAt: number | null, end: RunEnd): Promise<RunEnd> {
    this.record([suspended(this.state, this.context.clock.now(), wakeAt)]);
    await this.commit(true);
    return end;
  }

  private async handBack(): Promise<RunEnd> {
    await this.context.executions.handBack(this.execution, isoTime(this.context.clock.now()), HANDED_OVER);
    return 'handed_over';
  }

  private woken(delayMs: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer =
        delayMs === null ? undefined : setTimeout(() => this.wake(), Math.min(delayMs, MAX_TIMER_MS));
      this.wake = () => {
        clearTimeout(timer);
        this.wake = () => undefined;
        resolve();
      };
    });
  }

  private arrive(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.wake();
  }

  private takeArrivals(): void {
    const arrived = this.arrivals;
    this.arrivals = [];
    for (const arrival of arrived) {
      if (arrival.kind === 'outcome') this.settle(arrival.order, arrival.outcome);
      else if (this.state.nodes.get(arrival.order.node.id)?.status === 'running')
        this.record([progressed(arrival.order, arrival.fraction, arrival.message, this.context.clock.now())]);
    }
  }

  private settle(order: RunOrder, outcome: AttemptOutcome): void {
    this.record([
      settle(this.plan, this.state, order, outcome, this.context.clock.now(), this.context.random()),
    ]);
  }

  private report(order: RunOrder, fraction: number, message: string | null): void {
    const now = this.context.clock.now();
    if (now - (this.reportedAt.get(order.node.id) ?? 0) < PROGRESS_INTERVAL_MS) return;
    this.reportedAt.set(order.node.id, now);
    this.arrive({ kind: 'progress', order, fraction, message });
  }

  private record(events: readonly JournalEvent[]): void {
    this.state = fold(events, this.state);
    for (const event of events) this.uncommitted.push(event);
  }

  private async commit(release: boolean): Promise<void> {
    if (this.uncommitted.length === 0) return;
    const events = this.uncommitted;
    this.uncommitted = [];
    this.execution = await this.context.executions.advance(
      this.execution,
      events,
      release || isFinal(this.state.status),
    );
  }
}

const IDLE: Round = { effects: [], wakeAt: null, more: false };
