import type { JsonObject } from '../expressions/index.js';

export const VIEW_PAGES = ['executions', 'workflows', 'sessions'] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

/** Who can see a saved view. `own`: only its creator. `team`: every member of the team. */
export const VISIBILITIES = ['own', 'team'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A named set of filters, columns and order of a list. Times are ISO 8601. */
export interface SavedView {
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly page: ViewPage;
  readonly name: string;
  readonly visibility: Visibility;
  readonly settings: ViewSettings;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ViewSettings {
  readonly filters: JsonObject;
  /** Names of the shown columns, in order; null for the default columns of the list. */
  readonly columns: readonly string[] | null;
  readonly order: 'asc' | 'desc';
}
