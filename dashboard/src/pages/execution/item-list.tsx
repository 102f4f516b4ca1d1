import { useMemo, useState } from 'react';
import { number } from '../../format/index.ts';
import { Button, StatusBadge } from '../../ui/index.ts';
import type { NodeRun, NodeStatus } from './node-run.ts';

const SHOWN = 100;
/** What an item is as a whole: the first of these that one of its nodes is. */
const WEIGHT: readonly NodeStatus[] = [
  'failed',
  'running',
  'retrying',
  'waiting',
  'cancelled',
  'completed',
  'skipped',
  'pending',
];

interface ItemListProps {
  readonly loop: NodeRun;
  readonly done: number;
  readonly runs: ReadonlyMap<string, NodeRun>;
  readonly onSelect: (key: string) => void;
}

/** The items of a loop, and what became of each. */
export function ItemList({ loop, done, runs, onSelect }: ItemListProps) {
  const [shown, setShown] = useState(SHOWN);
  const items = useMemo(() => itemsOf(loop.id, runs), [loop.id, runs]);
  const total = loop.items ?? items.length;
  return (
    <>
      <p className="num mb-1 font-medium">
        {number(done)} of {number(total)} done
      </p>
      <progress
        aria-label="Items done"
        max={Math.max(total, 1)}
        value={done}
        className="mb-3 block h-1.5 w-full overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-running"
      />
      <ol className="-mx-4 border-t border-border">
        {items.slice(0, shown).map(({ index, nodes }) => {
          const status = WEIGHT.find((each) => nodes.some((node) => node.status === each)) ?? 'pending';
          const told = nodes.find((node) => node.status === status) ?? nodes[0];
          return (
            <li key={index} className="border-b border-border">
              <button
                type="button"
                onClick={() => told !== undefined && onSelect(told.key)}
                className="flex h-8 w-full items-center gap-2 px-4 text-left hover:bg-muted focus-visible:-outline-offset-2"
              >
                <span className="num flex-1">Item {index}</span>
                <span className="truncate text-text-3">{told?.id}</span>
                <StatusBadge status={status} />
              </button>
            </li>
          );
        })}
      </ol>
      {items.length > shown && (
        <Button kind="quiet" className="mt-2" onClick={() => setShown(shown + SHOWN)}>
          Show {Math.min(SHOWN, items.length - shown)} more of {number(items.length)}
        </Button>
      )}
    </>
  );
}

interface Item {
  readonly index: number;
  readonly nodes: NodeRun[];
}

function itemsOf(loop: string, runs: ReadonlyMap<string, NodeRun>): readonly Item[] {
  const items = new Map<number, Item>();
  for (const run of runs.values()) {
    if (run.loop !== loop || run.iteration === null) continue;
    const item = items.get(run.iteration) ?? { index: run.iteration, nodes: [] };
    item.nodes.push(run);
    items.set(run.iteration, item);
  }
  return [...items.values()].toSorted((a, b) => a.index - b.index);
}
