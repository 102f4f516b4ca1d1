import type { ExecutionView, WorkflowEvent } from '../../api/index.ts';
import type { NodeRun } from './node-run.ts';
import type { ShownNode } from './node-words.ts';
import type { RunState } from './run-state.ts';

export interface InspectorProps {
  readonly run: ExecutionView;
  readonly nodes: readonly ShownNode[];
  readonly state: RunState;
  /** All that are known, those after the shown place, too. */
  readonly events: readonly WorkflowEvent[];
  /** Whether the present is shown, on which something can be done. */
  readonly isLive: boolean;
  readonly onSelect: (key: string | null) => void;
  readonly onGoTo: (sequence: number) => void;
  readonly now: () => number;
}

export interface SelectedNode {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** Undefined where nothing happened to it yet. */
  readonly run: NodeRun | undefined;
  readonly maxAttempts: number;
  readonly itemsDone: number;
}
