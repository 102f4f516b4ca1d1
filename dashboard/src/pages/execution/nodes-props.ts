import type { ShownNode } from './node-words.ts';
import type { GraphNode } from './run-graph.ts';

/** What each view of the nodes of a run is given. */
export interface NodesProps {
  readonly graph: readonly GraphNode[];
  readonly nodes: readonly ShownNode[];
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** The time that is shown: now, or that of the replayed event. */
  readonly now: () => number;
}
