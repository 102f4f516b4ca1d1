import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, setAlarm } from '../../platform/index.js';
import { inBackground } from '../../database/index.js';
import { type Settings, SETTINGS } from '../../settings/index.js';
import type { Execution } from '../../execution-store/index.js';
import { InstanceRegistry } from '../../instances/index.js';
import { RunMemory } from '../memory/run-memory.js';
import { RunLoop, type RunLeft } from '../run-loop/run-loop.js';
import { ClaimsRepository } from './claims.repository.js';
import { Dispatcher, type Slot } from './dispatcher.js';
import { ProjectTurns } from './project-turns.js';
import { WorkSignal } from './work-signal.js';

/** Executions claimed at once: enough to keep the slots full, few enough that none waits long in memory. */
const PREFETCH = 64;

/** Longest time without a look at the clock, which may be set or go on while the machine sleeps. */
const MAX_TIMER_MS = 60_000;

/** Between looks at what is still under way when it stops. */
const SETTLE_MS = 5;

/** A claim that takes longer is stuck; the database gives up a statement sooner. */
const STUCK_MS = 40_000;

/** After a claim that the database refused. */
const RETRY_MS = 1_000;

/**
 * Runs what is runnable in this process, as many at once as there are slots. It claims a few at a time and
 * leaves the backlog in the database; idle, it sleeps until the next known instant. What it has no room for, or
 * all of it where it was never started, it tells the other processes of.
 */
@Injectable()
export class InProcessDispatcher extends Dispatcher {
  private readonly logger = new Logger(InProcessDispatcher.name);
  /** Slots in use, those kept for what is being claimed or started included. */
  private taken = 0;
  /** Slots of starts that are not durable yet. */
  private reserved = 0;
  private started = false;
  private stopped = false;
  /** There may be runnable executions in the database. */
  private backlog = true;
  private filling = false;
  /** On the clock of the process; null while no claim is under way. */
  private claimingSince: number | null = null;
  private readonly turns = new ProjectTurns();
  private timer: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(
    @Inject(ClaimsRepository) private readonly claims: Pick<ClaimsRepository, 'claim' | 'nextRunnableAt'>,
    @Inject(RunLoop) private readonly runLoop: Pick<RunLoop, 'begin' | 'run'>,
    @Inject(InstanceRegistry) private readonly instance: Pick<InstanceRegistry, 'id'>,
    private readonly signal: WorkSignal,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RUN_CONCURRENCY'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RunMemory) private readonly memory: Pick<RunMemory, 'isFull' | 'onRoom'>,
  ) {
    super();
  }

  /** Begins to claim; called once recovery is done. */
  async start(): Promise<void> {
    this.started = true;
    this.memory.onRoom(() => this.fill());
    await this.signal.listen(() => this.claimWork());
    this.fill();
  }

  /** Claims nothing more; resolves when all that was claimed or reserved has begun. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    while (this.filling || this.reserved > 0) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  /** Leaves the rest to others; called once nothing runs here any more. */
  async close(): Promise<void> {
    await this.signal.close();
  }

  reserve(): Slot | null {
    if (!this.started || this.stopped || this.backlog || this.room <= 0) return null;
    this.taken += 1;
    this.reserved += 1;
    let isReserved = true;
    /** The slot is no longer just reserved. @returns false where that was so before */
    const occupied = (): boolean => {
      if (!isReserved) return false;
      isReserved = false;
      this.reserved -= 1;
      return true;
    };
    const free = (): void => {
      if (occupied()) this.leave();
    };
    return {
      owner: this.instance.id,
      begin: async (execution, journal) => {
        try {
          const begun = await this.runLoop.begin(execution, journal);
          return {
            ...begun,
            run: (written) => {
              const left = begun.go(written);
              if (left === null) free();
              else if (occupied()) void this.occupy(left);
            },
            discard: () => {
              begun.discard();
              free();
            },
          };
        } catch (error) {
          free();
          throw error;
        }
      },
      free,
    };
  }

  wake(at?: number): void {
    const isLater = at !== undefined && at > this.clock.now();
    // Whoever hears it looks, and knows of the instant then.
    if (!this.started || this.stopped) return this.signal.tell();
    if (isLater) return this.sleepUntil(at);
    if (this.room <= 0) this.signal.tell();
    this.claimWork();
  }

  /** There may be work in the database. */
  private claimWork(): void {
    this.backlog = true;
    this.fill();
  }

  /** Looks for work that nobody told of, such as that of a process which died with what it knew. */
  async look(): Promise<void> {
    if (this.started && !this.stopped && !this.filling) await this.sleepUntilNext();
  }

  /** Whether it does its work: a claim that gets no answer for long holds it up. */
  get isAlive(): boolean {
    return this.claimingSince === null || performance.now() - this.claimingSince < STUCK_MS;
  }

  private get room(): number {
    return this.memory.isFull ? 0 : this.settings.RUN_CONCURRENCY - this.taken;
  }

  private fill(): void {
    if (this.filling || !this.started || this.stopped || !this.backlog || this.room <= 0) return;
    this.filling = true;
    this.claimingSince = performance.now();
    // For others, too, whatever request caused it.
    void inBackground(() => this.claim())
      .catch((error: unknown) => {
        this.logger.error({ err: error }, 'Runnable executions could not be claimed; trying again.');
        this.sleepUntil(this.clock.now() + RETRY_MS);
      })
      .finally(() => {
        this.filling = false;
        this.claimingSince = null;
        this.fill();
      });
  }

  private async claim(): Promise<void> {
    const limit = Math.min(PREFETCH, this.room);
    this.backlog = false;
    this.taken += limit;
    let claimed: readonly Execution[] = [];
    let nextAt: string | null = null;
    try {
      const now = isoTime(this.clock.now());
      ({ executions: claimed, nextAt } = await this.claims.claim(this.instance.id, now, limit, this.turns));
    } finally {
      this.taken -= limit - claimed.length;
    }
    if (claimed.length === limit) {
      this.backlog = true;
      if (this.room <= 0) this.signal.tell();
    }
    for (const execution of claimed) void this.occupy(this.runLoop.run(execution));
    if (nextAt !== null) this.sleepUntil(Date.parse(nextAt));
  }

  private async occupy(run: Promise<RunLeft>): Promise<void> {
    const { wakeAt } = await run;
    if (wakeAt !== null) this.sleepUntil(wakeAt);
    this.leave();
  }

  private leave(): void {
    this.taken -= 1;
    this.fill();
  }

  private async sleepUntilNext(): Promise<void> {
    const at = await this.claims.nextRunnableAt();
    if (at !== null) this.sleepUntil(Date.parse(at));
  }

  private sleepUntil(at: number): void {
    if (this.stopped || (this.timer !== null && this.timer.at <= at)) return;
    this.timer?.cancel();
    const cancel = setAlarm(this.clock, { at, atMostMs: MAX_TIMER_MS }, () => {
      this.timer = null;
      this.wake(at);
    });
    this.timer = { at, cancel };
  }
}
