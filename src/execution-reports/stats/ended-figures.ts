import type { ExecutionStatus } from '../../execution-events/index.js';
import { durationAt, HOUR_MS, type HourlyCount } from '../../execution-totals/index.js';

/** Numbers of the executions that ended in one hour, by status and by duration. */
export interface HourFigures {
  readonly byStatus: ReadonlyMap<ExecutionStatus, number>;
  /** Numbers of executions by duration bucket. */
  readonly durations: readonly Pick<HourlyCount, 'durationBucket' | 'executions'>[];
}

/** Numbers and durations of the executions that ended in a time window. Durations are in milliseconds. */
export interface EndedFigures {
  readonly byStatus: HourFigures['byStatus'];
  readonly p50: number | null;
  readonly p95: number | null;
  /** One entry for each hour of the window. `failed` includes executions that timed out. */
  readonly hours: readonly {
    readonly at: number;
    readonly completed: number;
    readonly failed: number;
    readonly p95: number | null;
  }[];
}

export const EMPTY_FIGURES: HourFigures = { byStatus: new Map(), durations: [] };

/** Groups hourly counts by the start of their hour, in epoch milliseconds. */
export function hourFiguresOf(
  counts: readonly Pick<HourlyCount, 'hour' | 'status' | 'durationBucket' | 'executions'>[],
): ReadonlyMap<number, HourFigures> {
  const byHour = Map.groupBy(counts, ({ hour }) => Date.parse(hour));
  return new Map(
    [...byHour].map(([hour, own]) => [
      hour,
      {
        byStatus: summed(own.map(({ status, executions }) => [status, executions])),
        durations: [...summed(own.map((count) => [count.durationBucket, count.executions]))].map(
          ([durationBucket, executions]) => ({ durationBucket, executions }),
        ),
      },
    ]),
  );
}

/**
 * Combines the figures of consecutive hours. Hours in which no execution ended are included.
 *
 * @param from start of the first hour, in epoch milliseconds
 * @param hours number of hours
 */
export function endedFigures(
  byHour: ReadonlyMap<number, HourFigures>,
  from: number,
  hours: number,
): EndedFigures {
  const all = Array.from({ length: hours }, (_, index) => {
    const at = from + index * HOUR_MS;
    return { at, ...(byHour.get(at) ?? EMPTY_FIGURES) };
  });
  const durations = all.flatMap((hour) => hour.durations);
  return {
    byStatus: summed(all.flatMap(({ byStatus }) => [...byStatus])),
    p50: durationAt(durations, 0.5),
    p95: durationAt(durations, 0.95),
    hours: all.map(({ at, byStatus, durations: own }) => ({
      at,
      completed: byStatus.get('completed') ?? 0,
      failed: (byStatus.get('failed') ?? 0) + (byStatus.get('timed_out') ?? 0),
      p95: durationAt(own, 0.95),
    })),
  };
}

function summed<K>(counts: readonly (readonly [K, number])[]): ReadonlyMap<K, number> {
  const sums = new Map<K, number>();
  for (const [key, n] of counts) sums.set(key, (sums.get(key) ?? 0) + n);
  return sums;
}
