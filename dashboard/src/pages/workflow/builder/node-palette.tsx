import { type KeyboardEvent, useState } from 'react';
import type { NodeTypeView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { Input } from '../../../ui/index.ts';
import { DRAGGED_TYPE } from './builder-canvas.tsx';

interface NodePaletteProps {
  readonly types: readonly NodeTypeView[];
  readonly onAdd: (type: string) => void;
  /** Describes where the palette adds a node, such as `after load` or `inside each`. */
  readonly place: string;
  readonly disabled: boolean;
}

/** List of node types with a search field. The user adds a node of a type by click, drag or Enter. */
export function NodePalette({ types, onAdd, place, disabled }: NodePaletteProps) {
  const [search, setSearch] = useState('');
  const found = matching(types, search);
  const addFirst = (event: KeyboardEvent): void => {
    const [first] = found;
    if (event.key !== 'Enter' || first === undefined || disabled) return;
    event.preventDefault();
    onAdd(first.type);
    setSearch('');
  };
  return (
    <section aria-label={texts.nodeTypes} className="flex min-h-0 flex-col gap-2 p-3">
      <Input
        type="search"
        aria-label={texts.searchNodeTypes}
        placeholder={texts.addNode}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        onKeyDown={addFirst}
        disabled={disabled}
      />
      <p className="label truncate font-normal">{texts.addsAt(place)}</p>
      <ul className="flex min-h-0 gap-1 overflow-auto max-lg:pb-1 lg:flex-col">
        {found.map(({ type, title, description }) => (
          <li key={type} className="shrink-0">
            <button
              type="button"
              disabled={disabled}
              draggable={!disabled}
              onDragStart={(event) => {
                event.dataTransfer.setData(DRAGGED_TYPE, type);
                event.dataTransfer.effectAllowed = 'copy';
              }}
              onClick={() => onAdd(type)}
              title={description}
              className="w-full rounded-sm border border-border bg-surface px-2.5 py-1.5 text-left hover:border-control disabled:opacity-60"
            >
              <span className="sr-only">{texts.add}</span>
              <span className="block truncate font-medium">{title}</span>
              <span className="block truncate text-small text-text-3 max-lg:hidden">{description}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-text-2">{texts.noNodeTypeMatches(search)}</p>}
    </section>
  );
}

/** The node types that match a search text. Types whose name starts with the text come first. */
function matching(types: readonly NodeTypeView[], search: string): readonly NodeTypeView[] {
  const wanted = search.trim().toLowerCase();
  const rank = ({ type, title, description }: NodeTypeView): number => {
    const names = [type.toLowerCase(), title.toLowerCase()];
    if (names.some((name) => name.startsWith(wanted))) return 0;
    if (names.some((name) => name.includes(wanted))) return 1;
    return description.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return types
    .map((type) => ({ type, rank: rank(type) }))
    .filter(({ rank: place }) => place < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ type }) => type);
}
