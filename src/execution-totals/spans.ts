import { isoTime } from '../platform/index.js';
import type { ExecutionFilter } from '../execution-store/index.js';
import { type EndedExecution, HOUR_MS, type Total, totalsOf } from './tally.js';

export type SpanUnit = 'hour' | 'day';

/**
 * Number of executions that were created in one hour or day and have equal values of project, workflow, trigger type
 * and status.
 */
export interface SpanCount extends Pick<
  Total,
  'projectId' | 'workflowId' | 'triggerType' | 'status' | 'executions'
> {
  readonly unit: SpanUnit;
  readonly began: string;
}

/**
 * A range of creation times. The two bounds do not belong to the range. If a bound is missing, the range is
 * open at that end.
 */
export type CreatedRange = Pick<ExecutionFilter, 'createdAfter' | 'createdBefore'>;

/** Consecutive hours or days, from `from` (inclusive) to `before` (exclusive). */
interface SpanRange {
  readonly unit: SpanUnit;
  readonly from: string;
  readonly before: string;
}

export interface Spans {
  readonly wholeHours: Required<CreatedRange>;
  /** The whole hours of the range, as days where possible and otherwise as hours. */
  readonly units: readonly SpanRange[];
  readonly edges: readonly Required<CreatedRange>[];
}

const UNIT_MS: Readonly<Record<SpanUnit, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** End of a range without `createdBefore`: December 31, 9999, the last day with a four-digit year. */
const END_MS = Date.UTC(9999, 11, 31);

/** @param sign 1 if the counts are added to the totals, -1 if they are subtracted */
export function spanCountsOf(ended: readonly EndedExecution[], sign: 1 | -1): readonly SpanCount[] {
  return (['hour', 'day'] as const).flatMap((unit) => {
    const groups = Map.groupBy(ended, ({ createdAt }) => floor(Date.parse(createdAt), unit));
    return [...groups].flatMap(([began, group]) =>
      totalsOf(group, sign).map(({ projectId, workflowId, triggerType, status, executions }) => ({
        projectId,
        workflowId,
        triggerType,
        status,
        executions,
        unit,
        began: isoTime(began),
      })),
    );
  });
}

/**
 * Splits a range of creation times into whole hours and a part of an hour at each end. Returns null if the range
 * contains no whole hour.
 */
export function spansOf({ createdAfter, createdBefore }: CreatedRange): Spans | null {
  const from = createdAfter === undefined ? 0 : Date.parse(createdAfter) + 1;
  const before = createdBefore === undefined ? END_MS : Date.parse(createdBefore);
  const [fromHour, beforeHour] = [ceil(from, 'hour'), floor(before, 'hour')];
  if (fromHour >= beforeHour) return null;
  const fromDay = Math.min(ceil(fromHour, 'day'), beforeHour);
  const beforeDay = Math.max(fromDay, floor(beforeHour, 'day'));
  const units = [
    { unit: 'hour', from: fromHour, before: fromDay },
    { unit: 'day', from: fromDay, before: beforeDay },
    { unit: 'hour', from: beforeDay, before: beforeHour },
  ] as const;
  const edges = [
    { from, before: fromHour },
    { from: beforeHour, before },
  ];
  return {
    wholeHours: created(fromHour, beforeHour),
    units: units
      .filter(isSome)
      .map((range) => ({ ...range, from: isoTime(range.from), before: isoTime(range.before) })),
    edges: edges.filter(isSome).map((edge) => created(edge.from, edge.before)),
  };
}

function isSome(range: { readonly from: number; readonly before: number }): boolean {
  return range.from < range.before;
}

function created(from: number, before: number): Required<CreatedRange> {
  return { createdAfter: isoTime(from - 1), createdBefore: isoTime(before) };
}

function floor(epochMs: number, unit: SpanUnit): number {
  return Math.floor(epochMs / UNIT_MS[unit]) * UNIT_MS[unit];
}

function ceil(epochMs: number, unit: SpanUnit): number {
  return Math.ceil(epochMs / UNIT_MS[unit]) * UNIT_MS[unit];
}
