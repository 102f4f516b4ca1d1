import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useStored } from './stored.ts';

/** Query parameters of a page URL. Commas separate the values of a parameter that has several values. */
export type UrlSearch = Readonly<Record<string, string | undefined>>;

export function parseUrlSearch(text: string): UrlSearch {
  return Object.fromEntries(new URLSearchParams(text));
}

export function formatUrlSearch(search: UrlSearch): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/**
 * Returns the query parameters of the page, and a function that changes some of them. A change replaces the current
 * entry of the browser history.
 */
export function useUrlSearch(): readonly [search: UrlSearch, change: (changes: UrlSearch) => void] {
  const search = useSearch({ strict: false }) as UrlSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: UrlSearch) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => ({ ...before, ...changes }),
        replace: true,
      }),
    [navigate],
  );
  return [search, change];
}

const PAGE_SIZE = 20;

/** Storage key of the user's preferred page size for lists. */
export const PAGE_SIZE_STORED = 'page-size';

/** Filters and page number of a list, which are stored in the query parameters of the URL. */
export interface ListSearch {
  readonly filters: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  readonly page: { readonly limit: number; readonly offset: number };
  setFilter(name: string, value: string): void;
  clearFilters(): void;
  setOffset(offset: number): void;
}

/** @param names names of the list's filters */
export function useListSearch(...names: readonly string[]): ListSearch {
  const [search, change] = useUrlSearch();
  const wanted = names.join();
  const [size] = useStored(PAGE_SIZE_STORED);
  return useMemo(() => {
    const known = wanted === '' ? [] : wanted.split(',');
    const filters = Object.fromEntries(
      known.flatMap((name) => {
        const value = search[name] ?? '';
        return value === '' ? [] : [[name, value] as const];
      }),
    );
    const offset = Number(search['offset'] ?? '0');
    return {
      filters,
      isFiltered: Object.keys(filters).length > 0,
      page: { limit: Number(size ?? PAGE_SIZE), offset: Number.isInteger(offset) && offset > 0 ? offset : 0 },
      setFilter: (name: string, value: string) => change({ [name]: value, offset: undefined }),
      clearFilters: () =>
        change({ ...Object.fromEntries(known.map((name) => [name, undefined])), offset: undefined }),
      setOffset: (next: number) => change({ offset: next === 0 ? undefined : String(next) }),
    };
  }, [search, change, wanted, size]);
}
