import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  /** What the tabs are of, read out. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Which tab is open belongs into the URL; the page keeps it. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <Radix.Root value={selected} onValueChange={onSelect} className="flex min-h-0 flex-1 flex-col">
      <Radix.List aria-label={label} className="flex gap-3.5 overflow-x-auto border-b border-border px-5">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="border-b-2 border-transparent pt-2 pb-1.5 font-medium whitespace-nowrap text-text-2 hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="min-h-0 flex-1 focus-visible:-outline-offset-2">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
