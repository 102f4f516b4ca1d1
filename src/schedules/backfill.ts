import type { Overlap, Schedule } from './schedule.js';

/** Past instants of a schedule that are still to be started, one after the other. Times are ISO 8601. */
export interface Backfill {
  readonly id: string;
  readonly scheduleId: string;
  /** The schedule's timing when the backfill was asked for: a later change does not count. */
  readonly timing: Pick<Schedule, 'cron' | 'everySeconds' | 'at' | 'timeZone' | 'startsAt' | 'endsAt'>;
  readonly overlap: Overlap;
  readonly nextAt: string;
  /** The last instant at most. */
  readonly until: string;
  /** When the next instant is looked at. */
  readonly dueAt: string;
}
