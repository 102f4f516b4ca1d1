import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, setAlarm } from '../../platform/index.js';
import { inBackground } from '../../database/index.js';
import { type Settings, SETTINGS } from '../../settings/index.js';
import type { Execution } from '../../execution-store/index.js';
import { InstanceRegistry } from '../../instances/index.js';
import { RunMemory } from '../../run-memory/index.js';
import { RunLoop, type NextRun } from '../run-loop/run-loop.js';
import { ClaimsRepository } from './claims.repository.js';
import { Dispatcher, type Slot } from './dispatcher.js';
import { ProjectTurns } from './project-turns.js';
import { WorkNotifier } from './work-notifier.ts';

/** Maximum number of executions that one claim returns. */
const PREFETCH = 64;

/**
 * Maximum duration of the dispatcher's timer in milliseconds. Short timers limit the delay if the system clock changes
 * or the machine is suspended.
 */
const MAX_TIMER_MS = 60_000;

/** Milliseconds between two checks in `stop` whether claims are still pending. */
const SETTLE_MS = 5;

/**
 * Milliseconds after which a pending claim counts as stuck. Longer than the statement timeout of the database, which
 * normally ends a claim.
 */
const STUCK_MS = 40_000;

/** Delay in milliseconds before the next claim after a failed claim. */
const RETRY_MS = 1_000;

/**
 * Claims executions while this process has free slots. If all slots are used and more executions are runnable, notifies
 * other processes. If no execution is runnable, sleeps until the next execution becomes runnable.
 */
@Injectable()
export class InProcessDispatcher extends Dispatcher {
  private readonly logger = new Logger(InProcessDispatcher.name);
  /** Number of used slots, including slots that are reserved for pending claims and for new executions. */
  private usedSlots = 0;
  /** Number of slots that are reserved for executions whose start is not committed yet. */
  private reservedSlots = 0;
  private started = false;
  private stopped = false;
  /** True if the database may contain runnable executions that this process has not claimed. */
  private backlog = true;
  private filling = false;
  /** Time on the monotonic clock, in milliseconds, at which the pending claim began; null if no claim is pending. */
  private claimingSince: number | null = null;
  private readonly turns = new ProjectTurns();
  private timer: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(
    @Inject(ClaimsRepository) private readonly claims: Pick<ClaimsRepository, 'claim' | 'nextRunnableAt'>,
    @Inject(RunLoop) private readonly runLoop: Pick<RunLoop, 'run'>,
    @Inject(InstanceRegistry) private readonly instance: Pick<InstanceRegistry, 'id'>,
    private readonly notifier: WorkNotifier,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RUN_CONCURRENCY'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RunMemory) private readonly memory: Pick<RunMemory, 'isFull' | 'onRoom'>,
  ) {
    super();
  }

  /**
   * Starts to claim executions. The process must already be registered as an instance, because only registered
   * processes keep their leases.
   */
  async start(): Promise<void> {
    this.started = true;
    this.memory.onRoom(() => this.fill());
    await this.notifier.onWork(() => this.claimWork());
    this.fill();
  }

  /** Stops claiming. Resolves when no claim and no reservation is pending. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    while (this.filling || this.reservedSlots > 0)
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  /** Sends a last notification, so that other processes claim the executions that this process handed over. */
  async close(): Promise<void> {
    await this.notifier.close();
  }

  reserve(): Slot | null {
    if (!this.started || this.stopped || this.backlog || this.freeSlots <= 0) return null;
    this.usedSlots += 1;
    this.reservedSlots += 1;
    let isReserved = true;
    /** @returns false if the reservation has already ended */
    const endReservation = (): boolean => {
      if (!isReserved) return false;
      isReserved = false;
      this.reservedSlots -= 1;
      return true;
    };
    return {
      owner: this.instance.id,
      occupy: (run) => {
        if (endReservation()) void this.occupy(run);
      },
      free: () => {
        if (endReservation()) this.releaseSlot();
      },
    };
  }

  wake(at?: number): void {
    const isLater = at !== undefined && at > this.clock.now();
    // `notify` does not need the time `at`, because the notified process reads this time from the database.
    if (!this.started || this.stopped) return this.notifier.notify();
    if (isLater) return this.sleepUntil(at);
    if (this.freeSlots <= 0) this.notifier.notify();
    this.claimWork();
  }

  /**
   * Claims executions if this process has a free slot.
   *
   * @returns false if this process has no free slot, so that another process must claim
   */
  private claimWork(): boolean {
    this.backlog = true;
    this.fill();
    return !this.stopped && (this.filling || this.freeSlots > 0);
  }

  /**
   * Polls the database for the time of the next runnable execution. The poll finds executions whose notification was
   * lost, for example because the sender crashed.
   */
  async poll(): Promise<void> {
    if (this.started && !this.stopped && !this.filling) await this.sleepUntilNext();
  }

  /** False if a claim has been pending for at least 40 s. */
  get isAlive(): boolean {
    return this.claimingSince === null || performance.now() - this.claimingSince < STUCK_MS;
  }

  private get freeSlots(): number {
    return this.memory.isFull ? 0 : this.settings.RUN_CONCURRENCY - this.usedSlots;
  }

  private fill(): void {
    if (this.filling || !this.started || this.stopped || !this.backlog || this.freeSlots <= 0) return;
    this.filling = true;
    this.claimingSince = performance.now();
    // The claim runs outside the async context of the current request, because it may return executions of other
    // requests.
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
    const limit = Math.min(PREFETCH, this.freeSlots);
    this.backlog = false;
    this.usedSlots += limit;
    let claimed: readonly Execution[] = [];
    let nextAt: string | null = null;
    try {
      const now = isoTime(this.clock.now());
      ({ executions: claimed, nextAt } = await this.claims.claim(this.instance.id, now, limit, this.turns));
    } finally {
      this.usedSlots -= limit - claimed.length;
    }
    if (claimed.length === limit) {
      this.backlog = true;
      if (this.freeSlots <= 0) this.notifier.notify();
    }
    for (const execution of claimed) void this.occupy(this.runLoop.run(execution));
    if (nextAt !== null) this.sleepUntil(Date.parse(nextAt));
  }

  private async occupy(run: Promise<NextRun>): Promise<void> {
    const { wakeAt } = await run;
    if (wakeAt !== null) this.sleepUntil(wakeAt);
    this.releaseSlot();
  }

  private releaseSlot(): void {
    this.usedSlots -= 1;
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
