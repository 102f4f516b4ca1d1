import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../admission/index.js';
import { ClaimsRepository, RunLoop } from '../execution-runner/index.js';
import { isoTime, nextAlarmAt, systemClock } from '../platform/index.js';
import { ScheduleRunner } from '../schedules/index.js';
import { WebhookRunner } from '../webhooks/index.js';

/** Interval in milliseconds between checks whether all due work has started. */
const POLL_MS = 5;

/** State of the work that is due. */
export interface Outlook {
  /** True if nothing is due: every execution is suspended, waits for a timer, or has ended. */
  readonly isQuiet: boolean;
  /** Epoch milliseconds of the next instant at which work is due; infinite if there is none. */
  readonly nextAt: number;
}

/**
 * Reports everything that starts at a due time: executions, schedules, deliveries, and the alarms of this process.
 */
@Injectable()
export class DueWork {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly places: AdmissionRepository,
    private readonly runLoop: RunLoop,
    private readonly schedules: ScheduleRunner,
    private readonly webhooks: WebhookRunner,
  ) {}

  /** Waits until nothing is due, at most `limitMs` of real time. */
  async settled(limitMs: number): Promise<Outlook> {
    const limit = performance.now() + limitMs;
    for (;;) {
      const outlook = await this.outlook();
      if (outlook.isQuiet || performance.now() > limit) return outlook;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /**
   * Reads what is due. Work moves from schedules to executions, and from the database to this process. The reads have
   * the same order, and are compared with the time after the last read. So work that moves during the reads is seen.
   */
  private async outlook(): Promise<Outlook> {
    const scheduleAt = await this.schedules.nextDueAt();
    const placeAt = await this.places.nextDueAt(isoTime(systemClock.now()));
    const { held, nextRunnableAt } = await this.claims.outlook();
    const now = systemClock.now();
    const instants = [
      scheduleAt,
      millisecondsOf(placeAt),
      millisecondsOf(nextRunnableAt),
      nextAlarmAt(systemClock) ?? Infinity,
    ];
    const isDue = instants.some((at) => at <= now);
    const isIdle = this.runLoop.isIdle && held <= this.runLoop.running().length && this.webhooks.isIdle;
    return { isQuiet: !isDue && isIdle, nextAt: Math.min(...instants.filter((at) => at > now)) };
  }
}

/** Converts ISO 8601 to epoch milliseconds; null becomes infinite. */
function millisecondsOf(at: string | null): number {
  return at === null ? Infinity : Date.parse(at);
}
