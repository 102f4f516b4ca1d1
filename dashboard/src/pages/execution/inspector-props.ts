import type { ExecutionView, WorkflowEvent } from '../../api/index.ts';
import type { NodeRun } from './node-run.ts';
import type { ShownNode } from './node-words.ts';
import type { RunState } from './run-state.ts';

export interface InspectorProps {
  readonly run: ExecutionView;
  readonly nodes: readonly ShownNode[];
  readonly state: RunState;
  /** All known events, including events after the replayed position. */
  readonly events: readonly WorkflowEvent[];
  /** Whether the current state is shown; only then are actions possible. */
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
