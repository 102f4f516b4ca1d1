import { useEffect, useRef } from 'react';
import { texts } from '../../texts/en/execution.ts';
import type { InspectorProps, SelectedNode } from './inspector-props.ts';
import { NodeInspector } from './node-inspector.tsx';
import { RunInspector } from './run-inspector.tsx';

const STACKED = '(max-width: 1023px)';

interface SelectionProps {
  /** Key in the page's address, known before the nodes are loaded. */
  readonly selectedKey: string | null;
  /** Null shows the execution itself. */
  readonly selected: SelectedNode | null;
}

export function Inspector({ selectedKey, selected, ...props }: InspectorProps & SelectionProps) {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(selectedKey);
  useEffect(() => {
    // With stacked panes the inspector may be off screen, so a newly selected node is scrolled into view.
    if (selectedKey !== before.current && selectedKey !== null && matchMedia(STACKED).matches)
      pane.current?.scrollIntoView();
    before.current = selectedKey;
  }, [selectedKey]);
  return (
    <aside
      ref={pane}
      aria-label={texts.inspector}
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
