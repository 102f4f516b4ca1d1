import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../admission/index.js';
import { ClaimsRepository, RunLoop } from '../execution-runner/index.js';
import { isoTime, nextAlarmAt, systemClock } from '../platform/index.js';
import { ScheduleRunner } from '../schedules/index.js';
import { WebhookRunner } from '../webhooks/index.js';

/** Between two looks at whether all that is due has fired. */
const LOOK_MS = 5;

/** What is left to do at one moment. */
export interface Outlook {
  /** Whether nothing is due, and every execution sleeps, waits for an instant, or has ended. */
  readonly isQuiet: boolean;
  /** Epoch milliseconds of the earliest later instant at which something is due; infinite if nothing is. */
  readonly nextAt: number;
}

/** What the passing of time starts: executions, schedules, deliveries, and the alarms of this process. */
@Injectable()
export class DueWork {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly places: AdmissionRepository,
    private readonly runLoop: RunLoop,
    private readonly schedules: ScheduleRunner,
    private readonly webhooks: WebhookRunner,
  ) {}

  /** Waits until it is quiet, `limitMs` of real time at the longest. */
  async settled(limitMs: number): Promise<Outlook> {
    const limit = performance.now() + limitMs;
    for (;;) {
      const outlook = await this.outlook();
      if (outlook.isQuiet || performance.now() > limit) return outlook;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /**
   * Work moves from schedules to executions, and from the database to this process. It is read in this order, and
   * compared with the time after the last read, so that none is missed on its way.
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

/** Epoch milliseconds; infinite if there is no instant. */
function millisecondsOf(at: string | null): number {
  return at === null ? Infinity : Date.parse(at);
}
