import type { ExecutionStatus, TriggerType } from '../execution-events/index.js';

/** Attributes of an ended execution that the totals use. Times are in ISO 8601 and UTC. */
export interface EndedExecution {
  readonly id: string;
  readonly projectId: string;
  readonly workflowId: string;
  readonly triggerType: TriggerType;
  readonly status: ExecutionStatus;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  readonly events: number;
  readonly journalBytes: number;
  readonly payloadBytes: number;
}

export interface Total extends Sums {
  readonly projectId: string;
  readonly workflowId: string;
  readonly triggerType: TriggerType;
  readonly status: ExecutionStatus;
}

interface Sums {
  readonly executions: number;
  readonly events: number;
  readonly journalBytes: number;
  readonly payloadBytes: number;
}

export interface HourlyCount {
  readonly projectId: string;
  readonly workflowId: string;
  readonly status: ExecutionStatus;
  readonly hour: string;
  readonly durationBucket: number;
  readonly executions: number;
}

export const HOUR_MS = 3_600_000;

/** @param sign 1 if the rows are added to the totals, -1 if they are subtracted */
export function totalsOf(rows: readonly EndedExecution[], sign: 1 | -1): readonly Total[] {
  const groups = Map.groupBy(rows, ({ projectId, workflowId, triggerType, status }) =>
    [projectId, workflowId, triggerType, status].join(' '),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { projectId, workflowId, triggerType, status } = first;
    const sum = (of: (row: EndedExecution) => number): number =>
      sign * group.reduce((total, row) => total + of(row), 0);
    return [
      {
        projectId,
        workflowId,
        triggerType,
        status,
        executions: sum(() => 1),
        events: sum(({ events }) => events),
        journalBytes: sum(({ journalBytes }) => journalBytes),
        payloadBytes: sum(({ payloadBytes }) => payloadBytes),
      },
    ];
  });
}

export function hourlyCountsOf(
  rows: readonly Pick<EndedExecution, 'projectId' | 'workflowId' | 'status' | 'startedAt' | 'finishedAt'>[],
): readonly HourlyCount[] {
  const counts = new Map<string, HourlyCount>();
  for (const { projectId, workflowId, status, startedAt, finishedAt } of rows) {
    const hour = hourOf(Date.parse(finishedAt));
    const bucket = startedAt === null ? NEVER_STARTED : durationBucket(durationOf(startedAt, finishedAt));
    const key = [projectId, workflowId, status, hour, bucket].join(' ');
    const executions = (counts.get(key)?.executions ?? 0) + 1;
    counts.set(key, { projectId, workflowId, status, hour, durationBucket: bucket, executions });
  }
  return [...counts.values()];
}

/** Returns the start of the hour that contains a time, in ISO 8601 and UTC. */
export function hourOf(epochMs: number): string {
  return new Date(Math.floor(epochMs / HOUR_MS) * HOUR_MS).toISOString();
}

/** Duration bucket of executions that ended without a start and therefore have no duration. */
export const NEVER_STARTED = -1;

/**
 * Number of duration buckets per doubling of the duration. With 4, a duration estimated from its bucket has an error of
 * at most 10 %.
 */
const BUCKETS_A_DOUBLING = 4;

export function durationBucket(ms: number): number {
  return Math.floor(BUCKETS_A_DOUBLING * Math.log2(ms + 1));
}

/**
 * Estimates a quantile of the durations in milliseconds. Returns null if no execution has a duration.
 *
 * @param share the quantile, from 0 to 1, such as 0.95
 */
export function durationAt(
  counts: readonly Pick<HourlyCount, 'durationBucket' | 'executions'>[],
  share: number,
): number | null {
  const byBucket = new Map<number, number>();
  for (const { durationBucket: bucket, executions } of counts)
    if (bucket !== NEVER_STARTED) byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + executions);
  // The counts of each bucket are added up before the sorting, because thousands of counts share only a few buckets.
  const started = [...byBucket].toSorted(([a], [b]) => a - b);
  const all = started.reduce((sum, [, executions]) => sum + executions, 0);
  let seen = 0;
  for (const [bucket, executions] of started) {
    seen += executions;
    if (seen >= share * all) return Math.round(2 ** ((bucket + 0.5) / BUCKETS_A_DOUBLING) - 1);
  }
  return null;
}

function durationOf(startedAt: string, finishedAt: string): number {
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}
