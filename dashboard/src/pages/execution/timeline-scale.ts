import type { GraphNode } from './run-graph.ts';
import type { NodeRun } from './node-run.ts';

const STEPS = [1, 2, 5];
/** As many ticks as fit beside each other. */
const TICKS = 5;

/** Where the ticks of a scale stand: round lengths of time from 0, in milliseconds. */
export function ticksOf(lengthMs: number): readonly number[] {
  const rough = Math.max(lengthMs, 1) / TICKS;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * size >= rough) ?? 10) * size;
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
}

/** When a node could have begun: once all that it needs was settled. Null where that has not come. */
export function readyAt(
  node: GraphNode,
  runs: ReadonlyMap<string, NodeRun>,
  startedAt: number | null,
): number | null {
  if (startedAt === null) return null;
  let latest = startedAt;
  for (const need of node.needs) {
    const endedAt = runs.get(need)?.endedAt ?? null;
    if (endedAt === null) return null;
    latest = Math.max(latest, endedAt);
  }
  return latest;
}

/** The chain of nodes that made the run as long as it is: from the last to end, back over what each waited for. */
export function criticalPath(
  graph: readonly GraphNode[],
  runs: ReadonlyMap<string, NodeRun>,
): ReadonlySet<string> {
  const ended = (id: string): number => {
    const run = runs.get(id);
    return run === undefined || run.segments.length === 0 ? 0 : (run.endedAt ?? Infinity);
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
  // Of two that ended together the later in the graph counts: it came after the other.
  for (const id of ids) if (ended(id) > 0 && ended(id) >= (found === null ? 0 : ended(found))) found = id;
  return found;
}
