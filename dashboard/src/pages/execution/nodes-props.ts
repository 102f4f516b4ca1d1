import type { ShownNode } from './node-words.ts';
import type { GraphNode } from './run-graph.ts';

/** Props of all views of an execution's nodes. */
export interface NodesProps {
  readonly graph: readonly GraphNode[];
  readonly nodes: readonly ShownNode[];
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** Current time, or time of the replayed event. */
  readonly now: () => number;
}
