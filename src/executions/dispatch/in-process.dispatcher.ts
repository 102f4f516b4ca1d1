import { Inject, Injectable, Logger } from '@nestjs/common';
import type { JournalEvent } from '../../engine/index.js';
import { CLOCK, type Clock, isoTime, type Settings, SETTINGS } from '../../platform/index.js';
import type { Execution } from '../execution.js';
import { ExecutionRepository } from '../execution.repository.js';
import { InstanceRegistry } from '../instances/instance-registry.js';
import { RunLoop } from '../run-loop/run-loop.js';
import { Dispatcher, type Slot } from './dispatcher.js';

/** Executions claimed at once: enough to keep the slots full, few enough that none waits long in memory. */
const PREFETCH = 64;

/** Longest time without a look at the clock, which may be set or go on while the machine sleeps. */
const MAX_TIMER_MS = 60_000;

/** Between looks at what is still under way when it stops. */
const SETTLE_MS = 5;

/** After a claim that the database refused. */
const RETRY_MS = 1_000;

/**
 * Runs what is runnable in this process, as many at once as there are slots. It claims a few at a time and
 * leaves the backlog in the database; idle, it sleeps until the next known instant and asks nothing.
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
  private timer: { readonly at: number; readonly handle: NodeJS.Timeout } | null = null;

  constructor(
    private readonly executions: ExecutionRepository,
    private readonly runLoop: RunLoop,
    private readonly instance: InstanceRegistry,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  /** Begins to claim; called once recovery is done. */
  start(): void {
    this.started = true;
    this.fill();
  }

  /** Claims nothing more; resolves when all that was claimed or reserved has begun. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer.handle);
    while (this.filling || this.reserved > 0) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  reserve(): Slot | null {
    if (!this.started || this.stopped || this.backlog || this.room <= 0) return null;
    this.taken += 1;
    this.reserved += 1;
    let open = true;
    const close = (): boolean => {
      if (!open) return false;
      open = false;
      this.reserved -= 1;
      return true;
    };
    return {
      owner: this.instance.id,
      run: (execution: Execution, journal: readonly JournalEvent[]) => {
        if (close()) void this.occupy(execution, journal);
      },
      free: () => {
        if (close()) this.leave();
      },
    };
  }

  wake(at?: number): void {
    if (at !== undefined && at > this.clock.now()) return this.sleepUntil(at);
    this.backlog = true;
    this.fill();
  }

  private get room(): number {
    return this.settings.RUN_CONCURRENCY - this.taken;
  }

  private fill(): void {
    if (this.filling || !this.started || this.stopped || !this.backlog || this.room <= 0) return;
    this.filling = true;
    void this.claim()
      .catch((error: unknown) => {
        this.logger.error({ err: error }, 'Runnable executions could not be claimed; trying again.');
        this.sleepUntil(this.clock.now() + RETRY_MS);
      })
      .finally(() => {
        this.filling = false;
        this.fill();
      });
  }

  private async claim(): Promise<void> {
    const limit = Math.min(PREFETCH, this.room);
    this.backlog = false;
    this.taken += limit;
    let claimed: readonly Execution[] = [];
    try {
      claimed = await this.executions.claim(this.instance.id, isoTime(this.clock.now()), limit);
    } finally {
      this.taken -= limit - claimed.length;
    }
    if (claimed.length === limit) this.backlog = true;
    for (const execution of claimed) void this.occupy(execution);
    if (claimed.length < limit) await this.sleepUntilNext();
  }

  private async occupy(execution: Execution, journal?: readonly JournalEvent[]): Promise<void> {
    const end = await this.runLoop.run(execution, journal);
    if (end.wakeAt !== null) this.sleepUntil(end.wakeAt);
    this.leave();
  }

  private leave(): void {
    this.taken -= 1;
    this.fill();
  }

  private async sleepUntilNext(): Promise<void> {
    const at = await this.executions.nextRunnableAt();
    if (at !== null) this.sleepUntil(Date.parse(at));
  }

  private sleepUntil(at: number): void {
    if (this.stopped || (this.timer !== null && this.timer.at <= at)) return;
    if (this.timer !== null) clearTimeout(this.timer.handle);
    const delay = Math.min(Math.max(at - this.clock.now(), 0), MAX_TIMER_MS);
    const handle = setTimeout(() => {
      this.timer = null;
      this.wake(at);
    }, delay);
    handle.unref();
    this.timer = { at, handle };
  }
}
