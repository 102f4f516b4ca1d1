import { duration } from '../../format/index.ts';
import type { GraphNode } from './run-graph.ts';
import type { NodeRun } from './node-run.ts';
import type { TimeWindow } from './time-window.ts';

const STEPS = [1, 2, 5];
/** As many ticks as fit beside each other. */
const TICKS = 5;

/** A round place on the scale, in milliseconds from the start of the run. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Where the ticks of a part of a scale stand: round lengths of time, in milliseconds. */
export function ticksOf({ from, to }: TimeWindow): readonly Tick[] {
  const rough = Math.max(to - from, 1) / TICKS;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * size >= rough) ?? 10) * size;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => {
    const at = (first + index) * step;
    return { at, label: labelOf(at, step) };
  });
}

/** Neighbours that are closer than what a length of time is rounded to are told by more digits. */
function labelOf(at: number, step: number): string {
  if (at === 0) return '0';
  if (at < 1000 || at >= 60_000 || step >= 100) return duration(at);
  return `${(at / 1000).toFixed(step >= 10 ? 2 : 3)} s`;
}

/** When a node could have begun: once all that it needs was done. Null where that has not come. */
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

/** The chain of nodes that made the run as long as it is: from the last to end, back over what each waited for. */
export function criticalPath(
  graph: readonly GraphNode[],
  runs: ReadonlyMap<string, NodeRun>,
): ReadonlySet<string> {
  const ended = (id: string): number => {
    const run = runs.get(id);
    // What the end of the run cut off did not make it longer.
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
  // Of two that ended together the later in the graph counts: it came after the other.
  for (const id of ids) if (ended(id) > 0 && ended(id) >= (found === null ? 0 : ended(found))) found = id;
  return found;
}
