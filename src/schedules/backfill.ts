import type { Overlap, Schedule } from './schedule.js';

/** Executions for past scheduled times of a schedule, started one after another. Times are ISO 8601. */
export interface Backfill {
  readonly id: string;
  readonly scheduleId: string;
  /** Timing of the schedule at the time of the request. Later changes of the schedule have no effect. */
  readonly timing: Pick<Schedule, 'cron' | 'everySeconds' | 'at' | 'timeZone' | 'startsAt' | 'endsAt'>;
  readonly overlap: Overlap;
  /** Start of the requested range, which includes both ends. */
  readonly since: string;
  readonly until: string;
  readonly nextAt: string;
  /** Time at which the next scheduled time is handled. Null after the last one. */
  readonly dueAt: string | null;
  /** Number of scheduled times in the range, and of handled ones. */
  readonly instants: number;
  readonly done: number;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}
