import { type ReactNode, useCallback } from 'react';
import { Tabs, useUrlSearch } from '../../ui/index.ts';

interface InspectorPaneProps {
  readonly label: string;
  readonly head: ReactNode;
  readonly tabs: readonly (readonly [id: string, label: string, content: ReactNode])[];
}

/** Tabs of the inspector. The URL parameter `tab` stores the open tab, and an unknown value opens the first tab. */
export function InspectorPane({ label, head, tabs }: InspectorPaneProps) {
  const [search, change] = useUrlSearch();
  const ids = tabs.map(([id]) => id);
  const [first = ''] = ids;
  const selected = ids.find((id) => id === search['tab']) ?? first;
  const select = useCallback(
    (tab: string) => change({ tab: tab === first ? undefined : tab }),
    [change, first],
  );
  return (
    <>
      <div className="flex min-h-11 items-center gap-2 px-5 pt-2">{head}</div>
      <Tabs
        label={label}
        selected={selected}
        onSelect={select}
        tabs={tabs.map(([id, name, content]) => ({
          id,
          label: name,
          content: <div className="h-full overflow-y-auto px-4 py-3">{content}</div>,
        }))}
      />
    </>
  );
}
