/**
 * W7: a mixed load that rises and falls in ten waves within `W7_MINUTES` (default 10). Memory that grows from wave to
 * wave indicates a leak. `W7_SNAPSHOTS=<folder>` writes two heap snapshots.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { round } from './load.ts';
import { startObserved } from './observed.ts';
import { sized } from './size.ts';
import { madeBefore, writeEnded } from './w6.ts';
import { startLoad, startWorld } from './w7-load.ts';

const MINUTES = Number(process.env['W7_MINUTES'] ?? sized(10, 1));
const SNAPSHOTS = process.env['W7_SNAPSHOTS'];
const WAVES = 10;
/** Number of waves before the measurement. During these waves, V8 optimizes the code, and connection pools fill. */
const WARM_UP_WAVES = 2;
const SWING = 0.7;
const SAMPLE_MS = 1_000;
/**
 * Number of old executions that retention deletes during the load. The first retention sweep is five minutes after the
 * start of the service.
 */
const OLD = sized(20_000, 2_000);
const OLD_DAYS = 31;
const DAY_MS = 86_400_000;
/** Maximum time in milliseconds to wait for the end of all executions after the load. */
const QUIET_MS = 20_000;
const HOUR_MS = 3_600_000;

interface Sample {
  readonly ms: number;
  readonly mb: number;
}

export async function mixed(): Promise<Readonly<Record<string, unknown>>> {
  const world = await startWorld();
  const service = await startObserved({ EGRESS_ALLOW: world.address });
  const { ask } = service;
  try {
    const { id } = await service.post('/v1/workflows', { name: 'old' });
    const longAgo = Date.now() - OLD_DAYS * DAY_MS;
    await writeEnded(service, [id], OLD, longAgo);
    const first = await ask({ ask: 'state' });
    const wave = (MINUTES * 60_000) / WAVES;
    const begun = performance.now();
    const sinceBegun = (): number => performance.now() - begun;
    const load = await startLoad(
      service,
      world.address,
      () => 1 - SWING * Math.cos((2 * Math.PI * sinceBegun()) / wave),
    );
    const resident: Sample[] = [];
    const heap: Sample[] = [];
    const external: Sample[] = [];
    const snapshot = async (name: string): Promise<void> => {
      if (SNAPSHOTS !== undefined) await ask({ ask: 'snapshot', file: join(SNAPSHOTS, name) });
    };
    for (let turn = 1; turn <= WAVES; turn += 1) {
      while (sinceBegun() < turn * wave) {
        await pause(Math.max(0, Math.min(SAMPLE_MS, turn * wave - sinceBegun())));
        if (turn > WARM_UP_WAVES) resident.push({ ms: sinceBegun(), mb: service.server.residentMb() });
      }
      if (turn < WARM_UP_WAVES) continue;
      const { heapMb, externalMb } = await ask({ ask: turn === WARM_UP_WAVES ? 'begin' : 'state' });
      heap.push({ ms: sinceBegun(), mb: heapMb });
      external.push({ ms: sinceBegun(), mb: externalMb });
      if (turn === WARM_UP_WAVES) await snapshot('warm.heapsnapshot');
    }
    const { delayMs } = await ask({ ask: 'state' });
    await load.stop();
    await pause(QUIET_MS);
    const last = await ask({ ask: 'state' });
    await snapshot('end.heapsnapshot');
    const { pagination } = await service.get<Listed>('/v1/executions?limit=1');
    const left = madeBefore(service, longAgo);
    const heapSlope = slopeOf(heap);
    const externalSlope = slopeOf(external);
    const residentSlope = slopeOf(resident);
    return {
      minutes: MINUTES,
      executions: pagination.total - left,
      done: load.done,
      faults: load.faults,
      left_out: load.left_out,
      removed_by_retention: OLD - left,
      resident_mb_per_hour: residentSlope.perHour,
      resident_noise_mb_per_hour: residentSlope.noise,
      heap_mb_per_hour: heapSlope.perHour,
      heap_noise_mb_per_hour: heapSlope.noise,
      external_mb_per_hour: externalSlope.perHour,
      memory_mb: {
        resident: { begin: round(resident[0]?.mb ?? 0), end: round(service.server.residentMb()) },
        heap: { begin: round(first.heapMb), warm: round(heap[0]?.mb ?? 0), end: round(last.heapMb) },
      },
      loop_delay_ms: {
        p50: round(delayMs.p50),
        p99: round(delayMs.p99),
        p999: round(delayMs.p999),
        max: round(delayMs.max),
      },
      handles: {
        begin: total(first.handles),
        end: total(last.handles),
        more: difference(first.handles, last.handles),
        descriptors: { begin: first.descriptors, end: last.descriptors },
      },
    };
  } finally {
    await service.stop();
    world.stop();
  }
}

interface Listed {
  readonly pagination: { readonly total: number };
}

/** Fits a line to memory samples. Returns its slope per hour, and twice the standard error of the slope as `noise`. */
function slopeOf(samples: readonly Sample[]): { readonly perHour: number; readonly noise: number } {
  const count = samples.length;
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  const ms = mean((sample) => sample.ms);
  const mb = mean((sample) => sample.mb);
  const spread = samples.reduce((sum, sample) => sum + (sample.ms - ms) ** 2, 0);
  const slope = samples.reduce((sum, sample) => sum + (sample.ms - ms) * (sample.mb - mb), 0) / spread;
  const off = samples.reduce((sum, sample) => sum + (sample.mb - mb - slope * (sample.ms - ms)) ** 2, 0);
  const error = Math.sqrt(off / (count - 2) / spread);
  return { perHour: round(slope * HOUR_MS), noise: round(2 * error * HOUR_MS) };
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function difference(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const more = (after[kind] ?? 0) - (before[kind] ?? 0);
      return more === 0 ? [] : [[kind, more]];
    }),
  );
}
