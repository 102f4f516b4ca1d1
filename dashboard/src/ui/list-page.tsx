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
  /** Singular and plural: `['run', 'runs']`. */
  readonly noun: readonly [one: string, many: string];
  /** Shown for an empty list without filters. */
  readonly empty: ReactNode;
  /** Number of new rows since the last fetch. */
  readonly newCount?: number;
  /** Whether other data of the rows is loading. The rows wait for this data, because it would move them. */
  readonly areRowsPending?: boolean;
}

/** A list in every state, from loading to empty, with a pill for new rows. */
export function List<T>(props: ListProps<T>) {
  const { query, search, noun, empty, newCount = 0, areRowsPending = false, ...table } = props;
  const [, many] = noun;
  const { data, error, isPending, refetch } = query;
  if (isPending || (areRowsPending && data !== undefined && data.data.length > 0)) return <SkeletonRows />;
  const isNarrowed = search.isFiltered || search.page.offset > 0;
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

async function showNew(search: ListSearch, refetch: () => Promise<unknown>): Promise<void> {
  if (search.page.offset === 0) await refetch();
  else search.setOffset(0);
}

/** Covers the list, so that no row moves. */
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
  /** Page of the documentation for a list that is never empty. */
  readonly docs?: string;
  /** Actions on the rows or filters, before `actions`. Hidden, like the filters, while the list is empty. */
  readonly listActions?: ReactNode;
  /** Shown next to the filters. */
  readonly beside?: ReactNode;
  /** Replaces the list if the filters are invalid. */
  readonly note?: ReactNode;
}

export function ListPage<T>(props: ListPageProps<T>) {
  const { title, filters = [], actions, docs, listActions, beside, note, ...list } = props;
  const { query, search } = list;
  // An empty list needs no filters.
  const isEmpty = query.data?.data.length === 0 && !search.isFiltered && search.page.offset === 0;
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
