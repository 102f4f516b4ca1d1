import { useEffect, useRef } from 'react';
import type { InspectorProps, SelectedNode } from './inspector-props.ts';
import { NodeInspector } from './node-inspector.tsx';
import { RunInspector } from './run-inspector.tsx';

const STACKED = '(max-width: 1023px)';

/** @param props.selected null shows the execution itself */
export function Inspector({
  selected,
  ...props
}: InspectorProps & { readonly selected: SelectedNode | null }) {
  const pane = useRef<HTMLElement>(null);
  const key = selected?.key ?? null;
  const before = useRef(key);
  useEffect(() => {
    // With stacked panes the inspector may be off screen, so it is scrolled into view.
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
