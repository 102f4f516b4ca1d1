/**
 * Runs inside the measured process (`node --import`). Reports its memory, event-loop delays and open handles to the
 * benchmark over IPC.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeHeapSnapshot } from 'node:v8';

/**
 * Request of the benchmark for the current figures of the process. `begin` also resets the event-loop delays, and
 * `snapshot` also writes a heap snapshot.
 */
export type Question =
  { readonly ask: 'begin' | 'state' } | { readonly ask: 'snapshot'; readonly file: string };

export interface Observed {
  readonly heapMb: number;
  readonly externalMb: number;
  /** Percentiles of the event-loop delay since the last request `begin`, in milliseconds. */
  readonly delayMs: {
    readonly p50: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
  readonly handles: Readonly<Record<string, number>>;
  readonly descriptors: number;
}

const RESOLUTION_MS = 5;
const MB = 1_048_576;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (question: Question) => {
  if (question.ask === 'begin') delay.reset();
  if (question.ask === 'snapshot') writeHeapSnapshot(question.file);
  // The garbage collection for this report blocks the event loop, so the delay is not recorded meanwhile.
  delay.disable();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const at = (percentile: number): number => Math.max(0, delay.percentile(percentile) / 1e6 - RESOLUTION_MS);
  const observed: Observed = {
    heapMb: heapUsed / MB,
    externalMb: external / MB,
    delayMs: {
      p50: at(50),
      p99: at(99),
      p999: at(99.9),
      max: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    },
    handles: counted(process.getActiveResourcesInfo()),
    descriptors: readdirSync('/proc/self/fd').length,
  };
  delay.enable();
  process.send?.(observed);
});
// An open IPC channel would keep the process of the service alive, so the channel is unreferenced.
process.channel?.unref();

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
