import { Tabs as Radix } from 'radix-ui';
import { memo, type ReactNode } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  /** Name of the tab list for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Shows tabs and the content of the selected tab. The parent controls which tab is selected. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <Radix.Root value={selected} onValueChange={onSelect} className="flex min-h-0 flex-1 flex-col">
      <Radix.List aria-label={label} className="flex gap-0.5 overflow-x-auto border-b border-border px-3.5">
        {tabs.map(({ id, label: name }) => (
          <TabName key={id} id={id} label={name} />
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <TabPane key={id} id={id} content={id === selected ? content : null} />
      ))}
    </Radix.Root>
  );
}

/** The tab label is memoized, because the content of an open tab renders often. */
const TabName = memo(function TabName({ id, label }: Pick<Tab, 'id' | 'label'>) {
  return (
    <Radix.Trigger
      value={id}
      className="border-b-2 border-transparent px-1.5 pt-2 pb-1.5 font-medium whitespace-nowrap text-text-2 hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
    >
      {label}
    </Radix.Trigger>
  );
});

const TabPane = memo(function TabPane({ id, content }: Pick<Tab, 'id' | 'content'>) {
  return (
    <Radix.Content value={id} className="min-h-0 flex-1 focus-visible:-outline-offset-2">
      {content}
    </Radix.Content>
  );
});
