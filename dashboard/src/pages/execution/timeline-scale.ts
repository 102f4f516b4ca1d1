import { duration } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import type { GraphNode } from './run-graph.ts';
import type { NodeRun } from './node-run.ts';
import type { TimeWindow } from './time-window.ts';

const STEPS = [1, 2, 5];
/** Approximate number of ticks on the time axis. */
const TICKS = 5;

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Ticks of the time axis, at round times within the visible time window. */
export function ticksOf({ from, to }: TimeWindow): readonly Tick[] {
  // The step between two ticks is at least 1 ms, because smaller steps would repeat labels.
  const rough = Math.max((to - from) / TICKS, 1);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * size >= rough) ?? 10) * size;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => {
    const at = (first + index) * step;
    return { at, label: labelOf(at, step) };
  });
}

/** Label of a tick on the time axis. The label has more digits if two adjacent labels would otherwise be equal. */
function labelOf(at: number, step: number): string {
  if (at === 0) return '0';
  if (at < 1000 || at >= 60_000 || step >= 100) return duration(at);
  return texts.secondsTick((at / 1000).toFixed(step >= 10 ? 2 : 3));
}

/**
 * Time at which the last dependency of a node ended, in epoch milliseconds. Null if a dependency is unfinished, failed
 * or cancelled.
 */
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
 * Ids of the nodes on the critical path, which determined the duration of the execution. From each node, the path
 * continues to the dependency that ended last.
 */
export function criticalPath(
  graph: readonly GraphNode[],
  runs: ReadonlyMap<string, NodeRun>,
): ReadonlySet<string> {
  const ended = (id: string): number => {
    const run = runs.get(id);
    // A cancelled node is not on the critical path, because it did not delay the end of the execution.
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
  // If two nodes ended at the same time, the function returns the node that comes later in the list, because this node
  // may depend on the other node.
  for (const id of ids) if (ended(id) > 0 && ended(id) >= (found === null ? 0 : ended(found))) found = id;
  return found;
}
