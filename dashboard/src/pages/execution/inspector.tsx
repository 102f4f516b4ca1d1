import { useEffect, useRef } from 'react';
import { texts } from '../../texts/en/execution.ts';
import type { InspectorProps, SelectedNode } from './inspector-props.ts';
import { NodeInspector } from './node-inspector.tsx';
import { RunInspector } from './run-inspector.tsx';

const STACKED = '(max-width: 1023px)';

interface SelectionProps {
  /** Key of the selected node. The key comes from the URL, so the key is known before the nodes are loaded. */
  readonly selectedKey: string | null;
  /** The selected node; null if the inspector shows the whole execution. */
  readonly selected: SelectedNode | null;
}

export function Inspector({ selectedKey, selected, ...props }: InspectorProps & SelectionProps) {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(selectedKey);
  useEffect(() => {
    // On narrow screens the inspector may be outside the viewport, so a newly selected node scrolls the page to the
    // inspector.
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
