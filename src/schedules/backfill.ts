import type { Overlap, Schedule } from './schedule.js';

/** Past instants of a schedule that are started one after the other. Times are ISO 8601. */
export interface Backfill {
  readonly id: string;
  readonly scheduleId: string;
  /** The schedule's timing when the backfill was requested: a later change does not count. */
  readonly timing: Pick<Schedule, 'cron' | 'everySeconds' | 'at' | 'timeZone' | 'startsAt' | 'endsAt'>;
  readonly overlap: Overlap;
  /** The span that was requested, both ends included. */
  readonly since: string;
  readonly until: string;
  readonly nextAt: string;
  /** When the next instant is handled; null once the backfill has finished. */
  readonly dueAt: string | null;
  /** Instants of the span, and those that were handled. */
  readonly instants: number;
  readonly done: number;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}
