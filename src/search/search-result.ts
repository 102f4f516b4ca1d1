/** Kinds of resources that the search covers, in the order in which responses list their results. */
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
  /**
   * Display name of the resource. An execution shows the name of its workflow, or the execution id if the caller may
   * not read workflows.
   */
  readonly title: string;
  readonly status: string | null;
  /** Id of the project that contains the resource. Null for an API key that is not bound to a project. */
  readonly projectId: string | null;
  readonly match: { readonly field: MatchedField; readonly text: string };
  readonly createdAt: string;
}

export interface FoundOfKind {
  readonly results: readonly SearchResult[];
  readonly hasMore: boolean;
  /**
   * Range of execution ids that the word search skipped, because the search index does not contain these executions
   * yet. Null or absent if the search skipped no execution.
   */
  readonly unsearched?: { readonly afterId: string; readonly beforeId: string } | null;
}
