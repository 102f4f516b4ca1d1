import type { ExecutionView, WorkflowEvent } from '../../api/index.ts';
import type { NodeRun } from './node-run.ts';
import type { ShownNode } from './node-words.ts';
import type { RunState } from './run-state.ts';

export interface InspectorProps {
  readonly run: ExecutionView;
  readonly nodes: readonly ShownNode[];
  readonly state: RunState;
  /** All known events, even events after the replayed one. */
  readonly events: readonly WorkflowEvent[];
  /** Whether the page shows the current state. Actions need it. */
  readonly isLive: boolean;
  readonly onSelect: (key: string | null) => void;
  readonly onGoTo: (sequence: number) => void;
  readonly now: () => number;
}

export interface SelectedNode {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** Undefined if the node has no events yet. */
  readonly run: NodeRun | undefined;
  readonly maxAttempts: number;
  readonly itemsDone: number;
}
