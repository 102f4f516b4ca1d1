/** The kinds of searched resources, in the order of the results. */
export const SEARCH_KINDS = [
  'workflow',
  'execution',
  'session',
  'schedule',
  'hook',
  'webhook',
  'secret',
  'key',
] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number];

export const MATCHED_FIELDS = ['id', 'name', 'error', 'metadata', 'input'] as const;

export type MatchedField = (typeof MATCHED_FIELDS)[number];

export interface SearchResult {
  readonly kind: SearchKind;
  readonly id: string;
  /** Name of the resource. For an execution, the name of its workflow, or its id without access to the workflow. */
  readonly title: string;
  readonly status: string | null;
  /** Null for a key of the whole team. */
  readonly projectId: string | null;
  readonly match: { readonly field: MatchedField; readonly text: string };
  readonly createdAt: string;
}

export interface FoundOfKind {
  readonly results: readonly SearchResult[];
  readonly hasMore: boolean;
  /** Words were not searched in executions between these ids. Null or absent after a complete search. */
  readonly unsearched?: { readonly afterId: string; readonly beforeId: string } | null;
}
