import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock, isoTime, Periodic, setAlarm } from '../platform/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { Notifications, Writer } from '../storage/index.js';
import type { Backfill } from './backfill.js';
import { BackfillsRepository } from './backfills.repository.js';
import { FiresRepository } from './fires.repository.js';
import { InstantFiring } from './instant-firing.js';
import type { Schedule } from './schedule.js';
import { InstantTakenError } from './schedules.errors.js';
import { SchedulesRepository } from './schedules.repository.js';

const TOPIC = 'workflow_schedules';

/** Maximum number of due schedules that one poll handles. Other due schedules wait for the next poll. */
const MAX_DUE_SCHEDULES = 128;
/** Maximum number of due backfills that one poll handles. Other due backfills wait for the next poll. */
const MAX_DUE_BACKFILLS = 8;
/** Maximum number of scheduled times of one backfill that one poll handles. */
const MAX_BACKFILL_STEPS = 32;
/**
 * Maximum time between two polls in milliseconds. The runner must also poll after a change of the clock or a lost
 * notification.
 */
const MAX_SLEEP_MS = 60_000;
/** Delay in milliseconds before the next poll after a database error. */
const RETRY_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Fires due schedules and backfills. Sleeps until the next due time or a notification. Every process that runs
 * executions has a runner. Conditional writes ensure that only one process handles each scheduled time.
 */
@Injectable()
export class ScheduleRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ScheduleRunner.name);
  private readonly sweep = new Periodic(
    HOUR_MS,
    () => this.removeOldFires(),
    (error) =>
      this.logger.warn({ err: error }, 'Old outcomes of schedules could not be deleted; trying again.'),
  );
  private readonly listeners: ((lateMs: number) => void)[] = [];
  private cancelAlarm: () => void = () => undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  /**
   * Runs code outside the async context of the request that changed a schedule. Otherwise, executions of schedules
   * would use the Idempotency-Key of that request.
   */
  private readonly outsideRequests = AsyncLocalStorage.snapshot();
  private started = false;

  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly backfills: BackfillsRepository,
    private readonly fires: FiresRepository,
    private readonly firing: InstantFiring,
    private readonly notifications: Notifications,
    private readonly writer: Writer,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.started = true;
    await this.notifications.listen(TOPIC, () => this.wake());
    this.sweep.start();
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.started = false;
    this.cancelAlarm();
    await this.sweep.stop();
    await this.running;
  }

  /**
   * Registers a listener that is called for each execution that a schedule starts.
   *
   * @param listener gets the milliseconds between the due time (scheduled time plus jitter) and the start of the
   * execution
   */
  onStarted(listener: (lateMs: number) => void): void {
    this.listeners.push(listener);
  }

  /** Notifies the schedule runners of all processes, including this one, that a schedule changed. */
  changed(): void {
    this.wake();
    void this.notifications.notify(TOPIC);
  }

  /**
   * Returns the earliest due time of all schedules and backfills, in epoch milliseconds; infinity if no schedule or
   * backfill is active.
   */
  async nextDueAt(): Promise<number> {
    const due = await Promise.all([this.schedules.nextDue(), this.backfills.nextDue()]);
    return Math.min(...due.map((at) => (at === undefined ? Infinity : Date.parse(at))));
  }

  private wake(): void {
    if (!this.started) return;
    this.isWoken = true;
    this.running ??= this.outsideRequests(() => this.run()).finally(() => {
      this.running = undefined;
      if (this.isWoken) this.wake();
    });
  }

  private async run(): Promise<void> {
    this.cancelAlarm();
    try {
      while (this.isWoken && this.started) {
        this.isWoken = false;
        if (await this.fireDue()) this.isWoken = true;
      }
      if (this.started) this.sleep(await this.nextDueAt(), MAX_SLEEP_MS);
    } catch (error) {
      this.logger.warn({ err: error }, 'Schedules could not be fired; trying again.');
      if (this.started) this.sleep(Infinity, RETRY_MS);
    }
  }

  private sleep(at: number, atMostMs: number): void {
    this.cancelAlarm = setAlarm(this.clock, { at, atMostMs }, () => this.wake());
  }

  /**
   * Fires the schedules and backfills that are due now.
   *
   * @returns true if further schedules or backfills may be due
   */
  private async fireDue(): Promise<boolean> {
    const now = isoTime(this.clock.now());
    const [schedules, backfills] = await Promise.all([
      this.schedules.due(now, MAX_DUE_SCHEDULES),
      this.backfills.due(now, MAX_DUE_BACKFILLS),
    ]);
    const fired = await Promise.allSettled([
      ...schedules.map((schedule) => this.fire(schedule)),
      ...backfills.map((backfill) => this.fireBackfill(backfill)),
    ]);
    const failed = fired.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return schedules.length > 0 || backfills.length > 0;
  }

  private async fire(schedule: Schedule): Promise<void> {
    try {
      const lateMs = await this.firing.fire(schedule);
      if (lateMs !== null) for (const listener of this.listeners) listener(lateMs);
    } catch (error) {
      if (!(error instanceof InstantTakenError)) throw error;
    }
  }

  private async fireBackfill(backfill: Backfill): Promise<void> {
    let current: Backfill | undefined = backfill;
    try {
      for (let step = 0; step < MAX_BACKFILL_STEPS && current !== undefined && this.started; step += 1)
        current = await this.firing.fireBackfill(current);
    } catch (error) {
      if (!(error instanceof InstantTakenError)) throw error;
    }
  }

  private removeOldFires(): Promise<void> {
    const before = isoTime(this.clock.now() - this.settings.RETENTION_DAYS * DAY_MS);
    return this.writer.commit({
      writes: [this.fires.deletionBefore(before), this.backfills.deletionBefore(before)],
    });
  }
}
