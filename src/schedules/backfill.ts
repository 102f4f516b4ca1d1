import type { Overlap, Schedule } from './schedule.js';

/**
 * A backfill starts executions for past scheduled times of a schedule, one after another. All times are in ISO 8601.
 */
export interface Backfill {
  readonly id: string;
  readonly scheduleId: string;
  /**
   * Copy of the schedule's timing, made when the backfill was created. Later changes of the schedule do not affect the
   * backfill.
   */
  readonly timing: Pick<Schedule, 'cron' | 'everySeconds' | 'at' | 'timeZone' | 'startsAt' | 'endsAt'>;
  readonly overlap: Overlap;
  /** First time of the range. The range includes both `since` and `until`. */
  readonly since: string;
  readonly until: string;
  readonly nextAt: string;
  /** Time at which the backfill handles its next scheduled time; null when the backfill has finished. */
  readonly dueAt: string | null;
  /** Number of scheduled times in the range. `done` counts those that are already handled. */
  readonly instants: number;
  readonly done: number;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}
