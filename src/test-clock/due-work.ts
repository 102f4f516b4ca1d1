import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../admission/index.js';
import { ClaimsRepository, RunLoop } from '../execution-runner/index.js';
import { isoTime, nextAlarmAt, systemClock } from '../platform/index.js';
import { ScheduleRunner } from '../schedules/index.js';
import { WebhookRunner } from '../webhooks/index.js';

/** Milliseconds between two checks whether work is still due or in progress. */
const POLL_MS = 5;

export interface Outlook {
  /** Whether no work is due and no attempt or delivery runs. */
  readonly isQuiet: boolean;
  /** Time at which the next work becomes due, in epoch milliseconds. Infinity if no work is planned. */
  readonly nextAt: number;
}

/**
 * Finds work that is due or in progress. Covers schedules, executions, webhook deliveries, and timers of this process.
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

  /** Waits until no work is due or in progress, but at most `limitMs` milliseconds of real time. */
  async settled(limitMs: number): Promise<Outlook> {
    const limit = performance.now() + limitMs;
    for (;;) {
      const outlook = await this.outlook();
      if (outlook.isQuiet || performance.now() > limit) return outlook;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /**
   * Reads which work is due and which is in progress. Work moves from schedules to queued executions to running
   * executions. The reads follow this order, so that moving work cannot be missed.
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

/** Converts an ISO 8601 time to epoch milliseconds, and null to Infinity. */
function millisecondsOf(at: string | null): number {
  return at === null ? Infinity : Date.parse(at);
}
