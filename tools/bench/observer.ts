/**
 * Preloaded into the service. Reports figures of the process to the bench over the IPC channel. `node --expose-gc
 * --import ./tools/bench/observer.ts dist/src/main.js`.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeHeapSnapshot } from 'node:v8';

/** `begin` resets the delay histogram; `snapshot` writes a heap snapshot to a file. */
export type Question =
  { readonly ask: 'begin' | 'state' } | { readonly ask: 'snapshot'; readonly file: string };

export interface Observed {
  /** Heap after a full garbage collection, and external memory, in MB. */
  readonly heapMb: number;
  readonly externalMb: number;
  /** Event loop delays since `begin`, in milliseconds. */
  readonly delayMs: {
    readonly p50: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
  /** Active resources by type, and the number of open file descriptors. */
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
  // The garbage collection blocks the event loop. The service is not charged with that delay.
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
// The channel to the observer must not keep the service alive.
process.channel?.unref();

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
