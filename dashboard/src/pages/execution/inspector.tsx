import { useEffect, useRef } from 'react';
import type { ExecutionView, WorkflowEvent } from '../../api/index.ts';
import { NodeInspector } from './node-inspector.tsx';
import type { NodeRun } from './node-run.ts';
import type { ShownNode } from './node-words.ts';
import { RunInspector } from './run-inspector.tsx';
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

const STACKED = '(max-width: 1023px)';

/** @param props.selected null shows the run itself */
export function Inspector({
  selected,
  ...props
}: InspectorProps & { readonly selected: SelectedNode | null }) {
  const pane = useRef<HTMLElement>(null);
  const key = selected?.key ?? null;
  const before = useRef(key);
  useEffect(() => {
    // Where the panes stand below each other, what was selected would be told out of sight.
    if (key !== before.current && key !== null && matchMedia(STACKED).matches) pane.current?.scrollIntoView();
    before.current = key;
  }, [key]);
  return (
    <aside
      ref={pane}
      aria-label="Inspector"
      className="flex flex-col border-border lg:min-h-0 max-lg:border-t lg:border-l"
    >
      {selected === null ? (
        <RunInspector {...props} />
      ) : (
        <NodeInspector key={selected.key} {...props} selected={selected} />
      )}
    </aside>
  );
}
