import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../platform/index.js';
import { type CreatedRange, spanCountsOf, spansOf, type SpanUnit } from './spans.js';
import { type EndedExecution, HOUR_MS } from './tally.js';

const DAY_MS = 24 * HOUR_MS;
const UNIT_MS: Readonly<Record<SpanUnit, number>> = { hour: HOUR_MS, day: DAY_MS };
const START = Date.parse('2026-11-21T00:00:00.000Z');

describe('spanCountsOf', () => {
  const created = (createdAt: string, more: Partial<EndedExecution> = {}): EndedExecution => ({
    id: 'e',
    projectId: 'p',
    workflowId: 'w',
    triggerType: 'api',
    status: 'completed',
    createdAt,
    startedAt: null,
    finishedAt: '2026-12-01T00:00:00.000Z',
    events: 5,
    journalBytes: 100,
    payloadBytes: 7,
    ...more,
  });
  const rows = [
    created('2026-11-21T10:00:00.000Z'),
    created('2026-11-21T10:59:59.999Z'),
    created('2026-11-21T11:00:00.000Z'),
    created('2026-11-22T00:00:00.000Z'),
    created('2026-11-22T00:00:00.000Z', { status: 'failed' }),
  ];

  it('`spanCountsOf` counts each execution in the hour and day of its creation', () => {
    const counts = spanCountsOf(rows, 1);
    expect(counts.map(({ unit, began, status, executions }) => [unit, began, status, executions])).toEqual([
      ['hour', '2026-11-21T10:00:00.000Z', 'completed', 2],
      ['hour', '2026-11-21T11:00:00.000Z', 'completed', 1],
      ['hour', '2026-11-22T00:00:00.000Z', 'completed', 1],
      ['hour', '2026-11-22T00:00:00.000Z', 'failed', 1],
      ['day', '2026-11-21T00:00:00.000Z', 'completed', 3],
      ['day', '2026-11-22T00:00:00.000Z', 'completed', 1],
      ['day', '2026-11-22T00:00:00.000Z', 'failed', 1],
    ]);
  });

  it('`spanCountsOf` with sign -1 returns the negated counts of sign 1', () => {
    expect(spanCountsOf(rows, -1)).toEqual(
      spanCountsOf(rows, 1).map((count) => ({ ...count, executions: -count.executions })),
    );
  });
});

describe('spansOf', () => {
  it('`spansOf` splits a range into whole days, whole hours and the rest', () => {
    expect(
      spansOf({ createdAfter: '2026-11-19T21:30:00.000Z', createdBefore: '2026-11-22T02:00:00.001Z' }),
    ).toEqual({
      wholeHours: { createdAfter: '2026-11-19T21:59:59.999Z', createdBefore: '2026-11-22T02:00:00.000Z' },
      units: [
        { unit: 'hour', from: '2026-11-19T22:00:00.000Z', before: '2026-11-20T00:00:00.000Z' },
        { unit: 'day', from: '2026-11-20T00:00:00.000Z', before: '2026-11-22T00:00:00.000Z' },
        { unit: 'hour', from: '2026-11-22T00:00:00.000Z', before: '2026-11-22T02:00:00.000Z' },
      ],
      edges: [
        { createdAfter: '2026-11-19T21:30:00.000Z', createdBefore: '2026-11-19T22:00:00.000Z' },
        { createdAfter: '2026-11-22T01:59:59.999Z', createdBefore: '2026-11-22T02:00:00.001Z' },
      ],
    });
  });

  it('`spansOf` returns null for a range that begins on the last representable day', () => {
    expect(spansOf({ createdAfter: '9999-12-31T12:30:00.000Z' })).toBeNull();
  });

  /** Random times: about half of them at most 1 ms from the start of an hour, and the others anywhere in an hour. */
  const instant = fc
    .tuple(
      fc.integer({ min: -50, max: 50 }),
      fc.oneof(fc.integer({ min: -1, max: 1 }), fc.integer({ min: 0, max: HOUR_MS - 1 })),
    )
    .map(([hours, ms]) => START + hours * HOUR_MS + ms);
  const bound = fc.option(instant, { nil: undefined });

  it('the parts that `spansOf` returns contain each time of the range exactly once', () => {
    fc.assert(
      fc.property(bound, bound, fc.array(instant, { minLength: 20 }), (after, before, drawn) => {
        const range: CreatedRange = {
          ...(after === undefined ? {} : { createdAfter: isoTime(after) }),
          ...(before === undefined ? {} : { createdBefore: isoTime(before) }),
        };
        const spans = spansOf(range);
        const bounds = [after, before].filter((at) => at !== undefined);
        const instants = [...drawn, ...bounds.flatMap((at) => [at - 1, at, at + 1])];
        if (spans === null) {
          const hours = Array.from({ length: 104 }, (_, index) => START + (index - 52) * HOUR_MS);
          expect(hours.filter((at) => isIn(range, at) && isIn(range, at + HOUR_MS - 1))).toEqual([]);
          return;
        }
        const { units, edges, wholeHours } = spans;
        for (const at of instants) {
          const found = units.filter(({ from, before: end }) => isoTime(at) >= from && isoTime(at) < end);
          expect(found).toHaveLength(isIn(wholeHours, at) ? 1 : 0);
          expect(found.length + edges.filter((edge) => isIn(edge, at)).length).toBe(isIn(range, at) ? 1 : 0);
        }
        for (const { unit, from, before: end } of units) {
          expect([Date.parse(from) % UNIT_MS[unit], Date.parse(end) % UNIT_MS[unit]]).toEqual([0, 0]);
          if (unit === 'hour') expect(Date.parse(end) - Date.parse(from)).toBeLessThan(DAY_MS);
        }
        for (const { createdAfter, createdBefore } of edges)
          expect(Date.parse(createdBefore) - Date.parse(createdAfter)).toBeLessThanOrEqual(HOUR_MS);
      }),
      { numRuns: 2_000 },
    );
  });

  function isIn({ createdAfter, createdBefore }: CreatedRange, at: number): boolean {
    return (
      (createdAfter === undefined || isoTime(at) > createdAfter) &&
      (createdBefore === undefined || isoTime(at) < createdBefore)
    );
  }
});
