import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { Input, Select } from './input.tsx';
import { useShortcut } from './shortcuts.tsx';
import type { ListSearch } from './url-search.ts';

/** Pause in typing after which a text filter takes effect, in milliseconds. */
const SETTLE_MS = 250;
/** Minimum width of a text filter, in characters. A longer placeholder makes the filter wider. */
const SHORTEST_TEXT = 10;

export type Filter =
  | { readonly kind: 'text'; readonly name: string; readonly label: string }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly label: string;
      readonly options: readonly { readonly value: string; readonly label: string }[];
    };

interface FilterBarProps {
  readonly search: ListSearch;
  readonly filters: readonly Filter[];
  /** Controls that are shown after the filters. */
  readonly children?: ReactNode;
}

/** Shows the filters of a list and stores their values in the URL. The key `f` focuses the first filter. */
export function FilterBar({ search, filters, children }: FilterBarProps) {
  const bar = useRef<HTMLFormElement>(null);
  const focusFirst = (): void => bar.current?.querySelector<HTMLElement>('input, select')?.focus();
  useShortcut('f', texts.filter, focusFirst, { group: texts.lists });
  return (
    <form
      ref={bar}
      role="search"
      onSubmit={(event) => event.preventDefault()}
      className="grid grid-cols-2 gap-2 border-b border-border px-5 py-2 md:flex md:flex-wrap md:items-center print:hidden [&>[aria-haspopup]]:h-8 [&>[aria-haspopup]]:border-control [&>[aria-haspopup]]:font-normal"
    >
      {filters.map((filter) =>
        filter.kind === 'text' ? (
          <TextFilter
            key={filter.name}
            label={filter.label}
            value={search.filters[filter.name] ?? ''}
            onChange={(value) => search.setFilter(filter.name, value)}
          />
        ) : (
          <Select
            key={filter.name}
            aria-label={filter.label}
            value={search.filters[filter.name] ?? ''}
            onChange={(event) => search.setFilter(filter.name, event.target.value)}
            className="max-md:!w-full md:!w-36"
          >
            <option value="">{texts.allOf(filter.label)}</option>
            {filter.options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        ),
      )}
      {children}
      {/* The button for clearing the filters is last, so that its appearance does not move other controls. */}
      {search.isFiltered && (
        <Button
          kind="quiet"
          onClick={() => {
            search.clearFilters();
            // The button disappears when no filter is set, so the focus moves to the first filter.
            focusFirst();
          }}
        >
          {texts.clear}
        </Button>
      )}
    </form>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  // If the value in the URL has changed without typing, for example by the back button of the browser, the field shows
  // the new value.
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <div className="relative">
      <Search size={14} aria-hidden className="pointer-events-none absolute top-[9px] left-2.5 text-text-3" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        size={Math.max(label.length, SHORTEST_TEXT)}
        className="!w-full pl-7.5 md:!w-auto"
      />
    </div>
  );
}
