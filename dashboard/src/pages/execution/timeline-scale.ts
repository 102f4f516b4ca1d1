import { duration } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import type { GraphNode } from './run-graph.ts';
import type { NodeRun } from './node-run.ts';
import type { TimeWindow } from './time-window.ts';

const STEPS = [1, 2, 5];
/** Approximate number of ticks. */
const TICKS = 5;

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Ticks of a time window at round times. */
export function ticksOf({ from, to }: TimeWindow): readonly Tick[] {
  // A step below 1 ms would repeat labels.
  const rough = Math.max((to - from) / TICKS, 1);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * size >= rough) ?? 10) * size;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => {
    const at = (first + index) * step;
    return { at, label: labelOf(at, step) };
  });
}

/** More digits if two adjacent labels would be equal. */
function labelOf(at: number, step: number): string {
  if (at === 0) return '0';
  if (at < 1000 || at >= 60_000 || step >= 100) return duration(at);
  return texts.secondsTick((at / 1000).toFixed(step >= 10 ? 2 : 3));
}

/** When the last dependency of a node ended; null before that. */
export function readyAt(
  node: GraphNode,
  runs: ReadonlyMap<string, NodeRun>,
  startedAt: number | null,
): number | null {
  if (startedAt === null) return null;
  let latest = startedAt;
  for (const need of node.needs) {
    const { endedAt = null, status } = runs.get(need) ?? {};
    if (endedAt === null || status === 'failed' || status === 'cancelled') return null;
    latest = Math.max(latest, endedAt);
  }
  return latest;
}

/**
 * The chain of nodes that determined the duration of the execution. It follows the dependency that
 * ended last.
 */
export function criticalPath(
  graph: readonly GraphNode[],
  runs: ReadonlyMap<string, NodeRun>,
): ReadonlySet<string> {
  const ended = (id: string): number => {
    const run = runs.get(id);
    // A cancelled node did not delay the end of the execution.
    if (run === undefined || run.segments.length === 0 || run.status === 'cancelled') return 0;
    return run.endedAt ?? Infinity;
  };
  const byId = new Map(graph.map((node) => [node.id, node]));
  const path = new Set<string>();
  let at = lastOf(
    graph.map(({ id }) => id),
    ended,
  );
  while (at !== null && !path.has(at)) {
    path.add(at);
    at = lastOf(byId.get(at)?.needs ?? [], ended);
  }
  return path;
}

function lastOf(ids: readonly string[], ended: (id: string) => number): string | null {
  let found: string | null = null;
  // Of two nodes with the same end, the later one may depend on the other.
  for (const id of ids) if (ended(id) > 0 && ended(id) >= (found === null ? 0 : ended(found))) found = id;
  return found;
}
