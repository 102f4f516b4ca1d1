import { FILTER_NAMES } from './run-filters.ts';

type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Readonly<Record<string, string>>;
export type ViewFilters = Readonly<Record<string, unknown>>;

/**
 * Maps each filter in the URL to its name in a saved view. Saved views use the names of the API, except for the dates
 * `from` and `to`, which have no time zone.
 */
const KEPT_AS: Readonly<Record<FilterName, string>> = {
  q: 'q',
  status: 'status',
  workflow: 'workflow_id',
  trigger: 'trigger',
  session: 'session_id',
  retry_of: 'retry_of',
  from: 'from',
  to: 'to',
};

/** Converts the filters in the URL to the filters of a saved view. */
export function toViewFilters(filters: Filters): Record<string, unknown> {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = filters[name] ?? '';
      if (value === '') return [];
      return [[KEPT_AS[name], name === 'status' ? value.split(',') : value] as const];
    }),
  );
}

/**
 * Converts the filters of a saved view to filters in the URL. A filter whose value has an unexpected type is ignored.
 */
export function fromViewFilters(kept: ViewFilters): Filters {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = kept[KEPT_AS[name]];
      if (typeof value === 'string' && value !== '') return [[name, value] as const];
      if (name === 'status' && Array.isArray(value) && value.length > 0)
        return [[name, value.filter((each) => typeof each === 'string').join()] as const];
      return [];
    }),
  );
}

/** Whether two sets of filters select the same executions. The order of statuses does not matter. */
export function areSameFilters(one: Filters, other: Filters): boolean {
  return FILTER_NAMES.every((name) => sorted(one[name]) === sorted(other[name]));
}

function sorted(value: string | undefined): string {
  return (value ?? '').split(',').toSorted().join();
}
