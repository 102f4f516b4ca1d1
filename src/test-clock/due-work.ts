import { Injectable } from '@nestjs/common';
import { AdmissionRepository } from '../admission/index.js';
import { ClaimsRepository, RunLoop } from '../execution-runner/index.js';
import { isoTime, nextAlarmAt, systemClock } from '../platform/index.js';
import { ScheduleRunner } from '../schedules/index.js';

/** Between two looks at whether all that is due has fired. */
const LOOK_MS = 5;

/** What the passing of time starts: executions, schedules, and the alarms of this process. */
@Injectable()
export class DueWork {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly places: AdmissionRepository,
    private readonly runLoop: RunLoop,
    private readonly schedules: ScheduleRunner,
  ) {}

  /** Epoch milliseconds of the earliest instant after now at which something is due; infinite if nothing is. */
  async nextAt(): Promise<number> {
    const now = systemClock.now();
    const instants = await Promise.all([
      this.runnableAt(),
      this.schedules.nextDueAt(),
      this.places.nextDueAt(isoTime(now)).then(millisecondsOf),
    ]);
    const alarmAt = nextAlarmAt(systemClock) ?? Infinity;
    return Math.min(...[...instants, alarmAt].map((at) => (at > now ? at : Infinity)));
  }

  /**
   * Waits until nothing is due any more and every execution sleeps, waits for an instant, or has ended.
   * @returns whether that is so before `limitMs` of real time are over
   */
  async settled(limitMs: number): Promise<boolean> {
    const limit = performance.now() + limitMs;
    // Twice in a row: work may be on its way from one to the other.
    for (let quiet = 0; quiet < 2;) {
      if (performance.now() > limit) return false;
      quiet = (await this.isQuiet()) ? quiet + 1 : 0;
      if (quiet < 2) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return true;
  }

  private async isQuiet(): Promise<boolean> {
    const now = systemClock.now();
    const [runnableAt, scheduleAt, held] = await Promise.all([
      this.runnableAt(),
      this.schedules.nextDueAt(),
      this.claims.countHeld(),
    ]);
    if (runnableAt <= now || scheduleAt <= now || (nextAlarmAt(systemClock) ?? Infinity) <= now) return false;
    return this.runLoop.isIdle && held <= this.runLoop.running().length;
  }

  private async runnableAt(): Promise<number> {
    return millisecondsOf(await this.claims.nextRunnableAt());
  }
}

/** Epoch milliseconds; infinite if there is no instant. */
function millisecondsOf(at: string | null): number {
  return at === null ? Infinity : Date.parse(at);
}
