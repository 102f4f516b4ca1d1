import type { Overlap, Schedule } from './schedule.js';

/** Past instants of a schedule for which executions are started, one after the other. Times are ISO 8601. */
export interface Backfill {
  readonly id: string;
  readonly scheduleId: string;
  /** The schedule's timing at the time of the request. Later changes of the schedule do not affect the backfill. */
  readonly timing: Pick<Schedule, 'cron' | 'everySeconds' | 'at' | 'timeZone' | 'startsAt' | 'endsAt'>;
  readonly overlap: Overlap;
  /** Start of the requested range. Both ends belong to the range. */
  readonly since: string;
  readonly until: string;
  readonly nextAt: string;
  /** Time at which the next instant is handled; null once the backfill has finished. */
  readonly dueAt: string | null;
  /** Number of instants in the range, and number of instants that were handled. */
  readonly instants: number;
  readonly done: number;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}
