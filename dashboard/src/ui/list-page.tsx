import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { DocsLink } from './docs-link.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorNote } from './error-note.tsx';
import { LoadFailed } from './load-failed.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import { PageHeader } from './page-header.tsx';
import { Pagination } from './pagination.tsx';
import { SkeletonRows } from './skeleton.tsx';
import type { ListSearch } from './url-search.ts';

export interface ListAnswer<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly total: number; readonly limit: number; readonly offset: number };
}

export interface ListProps<T> extends Omit<DataTableProps<T>, 'rows'> {
  readonly query: UseQueryResult<ListAnswer<T>>;
  readonly search: ListSearch;
  /** Singular and plural of the noun for a row, such as `['run', 'runs']`. */
  readonly noun: readonly [one: string, many: string];
  /** Content that replaces the table if the list is empty and no filter is set. */
  readonly empty: ReactNode;
  /** Number of rows that were added since the last fetch of the list. */
  readonly newCount?: number;
  /**
   * True while additional data for the rows is loading. The rows stay hidden until then, because the data would move
   * them.
   */
  readonly areRowsPending?: boolean;
}

/** Shows a list in all its states: loading, failed, empty, and filled. A button at the top announces new rows. */
export function List<T>(props: ListProps<T>) {
  const { query, search, noun, empty, newCount = 0, areRowsPending = false, ...table } = props;
  const [, many] = noun;
  const { data, error, isPending, isPlaceholderData, refetch } = query;
  const isNarrowed = hidesRows(search);
  // After the user removes the filters, `data` contains the filtered result until the new result arrives. An empty
  // filtered result does not mean that the list without filters is empty.
  const isUnknown = isPending || (isPlaceholderData && data?.data.length === 0 && !isNarrowed);
  if (isUnknown || (areRowsPending && data !== undefined && data.data.length > 0)) return <SkeletonRows />;
  const clear = <Button onClick={search.clearFilters}>{texts.clearFilters}</Button>;
  if (data === undefined && error instanceof ApiError && error.status === 400 && isNarrowed)
    return (
      <EmptyState title={texts.invalidFilters} action={clear}>
        {error.message}
      </EmptyState>
    );
  if (data === undefined)
    return <LoadFailed error={error} title={texts.couldNotLoad(many)} onRetry={refetch} />;
  return (
    <>
      {error !== null && (
        <div className="p-5">
          <ErrorNote error={error} title={texts.mayBeOutdated(many)}>
            <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
          </ErrorNote>
        </div>
      )}
      {newCount > 0 && <NewPill count={newCount} onShow={() => void showNew(search, refetch)} />}
      {data.data.length === 0 ? (
        isNarrowed ? (
          <EmptyState title={texts.noMatch(many)} action={clear}>
            {texts.noMatchHint}
          </EmptyState>
        ) : (
          empty
        )
      ) : (
        <>
          <DataTable {...table} rows={data.data} />
          <Pagination {...data.pagination} onOffset={search.setOffset} />
        </>
      )}
    </>
  );
}

/**
 * True if filters are set, or if the page is not the first one. An empty result then does not mean an empty
 * list.
 */
function hidesRows({ isFiltered, page }: ListSearch): boolean {
  return isFiltered || page.offset > 0;
}

async function showNew(search: ListSearch, refetch: () => Promise<unknown>): Promise<void> {
  if (search.page.offset === 0) await refetch();
  else search.setOffset(0);
}

/** A button that reports new rows. The button lies over the list, so that its appearance moves no row. */
function NewPill({ count: arrived, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div className="pointer-events-none sticky top-10 z-20 h-0 text-center">
      <Button
        kind="primary"
        onClick={onShow}
        icon={<ArrowUp size={14} aria-hidden />}
        className="num pointer-events-auto !rounded-full shadow-overlay"
      >
        {texts.newCount(arrived)}
      </Button>
    </div>
  );
}

interface ListPageProps<T> extends ListProps<T> {
  readonly title: string;
  readonly filters?: readonly Filter[];
  readonly actions?: ReactNode;
  /**
   * Name of the documentation page to which the page header links. Only lists that are never empty need this
   * link, because other lists show a link to the documentation while they are empty.
   */
  readonly docs?: string;
  /**
   * Buttons that act on the rows or filters, shown before `actions`. These buttons are hidden while the list is empty
   * and unfiltered.
   */
  readonly listActions?: ReactNode;
  /** Controls that are shown next to the filters. */
  readonly beside?: ReactNode;
  /** Message that replaces the list, for example if the filters are invalid. */
  readonly note?: ReactNode;
}

export function ListPage<T>(props: ListPageProps<T>) {
  const { title, filters = [], actions, docs, listActions, beside, note, ...list } = props;
  const { data, isPlaceholderData } = list.query;
  // The filter bar is hidden if the list has no rows even without filters. Placeholder data is the result of
  // the previous filters, so empty placeholder data does not prove that the list has no rows.
  const isEmpty = data?.data.length === 0 && !isPlaceholderData && !hidesRows(list.search);
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            {docs !== undefined && <DocsLink page={docs} />}
            {!isEmpty && listActions}
            {actions}
          </>
        }
      />
      {filters.length > 0 && !isEmpty && (
        <FilterBar search={list.search} filters={filters}>
          {beside}
        </FilterBar>
      )}
      {note ?? <List {...list} />}
    </>
  );
}
