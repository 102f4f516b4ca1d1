import { memo, useMemo, useState } from 'react';
import { number } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { LongList, ProgressBar, Select, StatusBadge, STATUSES } from '../../ui/index.ts';
import { itemAt, itemsOf, leadOf, type LoopItem, type LoopRun } from './loop-run.ts';
import type { NodeRun, NodeStatus } from './node-run.ts';

const ROW = 33;
const FILTERS: readonly NodeStatus[] = ['failed', 'running', 'waiting', 'retrying', 'completed', 'cancelled'];

interface ItemListProps {
  readonly node: NodeRun;
  readonly loop: LoopRun;
  readonly done: number;
  readonly onSelect: (key: string) => void;
}

export function ItemList({ node, loop, done, onSelect }: ItemListProps) {
  const [filter, setFilter] = useState<NodeStatus | null>(null);
  const fitting = useMemo(
    () => (filter === null ? null : itemsOf(loop).filter(({ status }) => status === filter)),
    [filter, loop],
  );
  const total = node.items ?? 0;
  return (
    <>
      <p className="num mb-1 font-medium">
        {texts.itemsProgress(
          number(done),
          number(total),
          loop.failed > 0 && <span className="text-failed">{texts.itemsFailed(number(loop.failed))}</span>,
        )}
      </p>
      <ProgressBar label={texts.itemsProgressLabel} fraction={total === 0 ? 1 : done / total} />
      <Select
        aria-label={texts.itemsFilter}
        value={filter ?? ''}
        onChange={(event) => setFilter(FILTERS.find((status) => status === event.target.value) ?? null)}
        className="my-3"
      >
        <option value="">{texts.allItems}</option>
        {FILTERS.map((status) => (
          <option key={status} value={status}>
            {STATUSES[status].word}
          </option>
        ))}
      </Select>
      {fitting?.length === 0 && <p className="text-text-2">{texts.noItemWithStatus(wordOf(filter))}</p>}
      <div className="-mx-4 border-t border-border">
        <LongList
          label={texts.itemCount(fitting?.length ?? total)}
          count={fitting?.length ?? total}
          rowHeight={ROW}
        >
          {(place) => {
            const item = fitting === null ? itemAt(loop, place) : fitting[place];
            return (
              <Row key={item?.index ?? place} index={item?.index ?? place} item={item} onSelect={onSelect} />
            );
          }}
        </LongList>
      </div>
    </>
  );
}

const wordOf = (status: NodeStatus | null): string => STATUSES[status ?? 'pending'].word;

interface RowProps {
  readonly index: number;
  readonly item: LoopItem | undefined;
  readonly onSelect: (key: string) => void;
}

const Row = memo(function Row({ index, item, onSelect }: RowProps) {
  const lead = item === undefined ? undefined : leadOf(item);
  return (
    <li className="border-b border-border">
      <button
        type="button"
        disabled={lead === undefined}
        onClick={() => lead !== undefined && onSelect(lead.key)}
        className="flex h-8 w-full items-center gap-2 px-4 text-left enabled:hover:bg-muted focus-visible:-outline-offset-2"
      >
        <span className="num flex-1">{texts.itemNumber(index)}</span>
        <span className="truncate text-text-3">{lead?.id}</span>
        <StatusBadge status={item?.status ?? 'pending'} />
      </button>
    </li>
  );
});
