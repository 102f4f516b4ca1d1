import type { ShownNode } from './node-words.ts';
import type { GraphNode } from './run-graph.ts';

/** Props that the graph, the tree and the timeline of an execution share. */
export interface NodesProps {
  readonly graph: readonly GraphNode[];
  readonly nodes: readonly ShownNode[];
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** Returns the current time or, in a replay, the time of the displayed event. Both are in epoch milliseconds. */
  readonly now: () => number;
}
