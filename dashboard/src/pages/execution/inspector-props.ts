import type { ExecutionView, WorkflowEvent } from '../../api/index.ts';
import type { NodeRun } from './node-run.ts';
import type { ShownNode } from './node-words.ts';
import type { RunState } from './run-state.ts';

export interface InspectorProps {
  readonly run: ExecutionView;
  readonly nodes: readonly ShownNode[];
  readonly state: RunState;
  /**
   * All known events of the execution. During a replay, the list also contains the events after the displayed
   * event.
   */
  readonly events: readonly WorkflowEvent[];
  /**
   * Whether the page shows the current state and not a replay. Users can act on the execution only in the current
   * state.
   */
  readonly isLive: boolean;
  readonly onSelect: (key: string | null) => void;
  readonly onGoTo: (sequence: number) => void;
  readonly now: () => number;
}

export interface SelectedNode {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** State of the node; undefined before the first event of the node. */
  readonly run: NodeRun | undefined;
  readonly maxAttempts: number;
  readonly itemsDone: number;
}
