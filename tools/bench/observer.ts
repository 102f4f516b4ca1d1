/**
 * The bench preloads this module into the service: `node --expose-gc --import ./tools/bench/observer.ts
 * dist/src/main.js`. The module reports figures of the process to the bench over the IPC channel.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeHeapSnapshot } from 'node:v8';

/** The answer is always the figures. `begin` also resets the delay histogram; `snapshot` writes a heap snapshot. */
export type Question =
  { readonly ask: 'begin' | 'state' } | { readonly ask: 'snapshot'; readonly file: string };

export interface Observed {
  /** Used heap after a full garbage collection, in MB. */
  readonly heapMb: number;
  /** Memory outside the heap that belongs to JavaScript objects, in MB. */
  readonly externalMb: number;
  /** Event loop delays since `begin`, in milliseconds. */
  readonly delayMs: {
    readonly p50: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
  /** Number of active resources, by type. */
  readonly handles: Readonly<Record<string, number>>;
  /** Number of open file descriptors. */
  readonly descriptors: number;
}

const RESOLUTION_MS = 5;
const MB = 1_048_576;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (question: Question) => {
  if (question.ask === 'begin') delay.reset();
  if (question.ask === 'snapshot') writeHeapSnapshot(question.file);
  // The garbage collection below blocks the event loop. The histogram must not count this delay.
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
// The open IPC channel must not prevent the service from exiting.
process.channel?.unref();

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
