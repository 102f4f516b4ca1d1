import { Injectable } from '@nestjs/common';
import { allows, type Principal, requireScope } from '../access/index.js';
import { type FoundOfKind, SEARCH_KINDS, type SearchKind } from './search-result.js';
import { type SearchRequest, SearchSources } from './search-sources.js';

export interface FoundByKind {
  readonly kinds: readonly SearchKind[];
  readonly found: readonly FoundOfKind[];
}

@Injectable()
export class SearchService {
  constructor(private readonly sources: SearchSources) {}

  /**
   * Searches the requested kinds of resources. Without requested kinds, searches all kinds that the caller may read.
   *
   * @throws MissingScopeError when the caller may not read a given kind; ProjectNotFoundError; ProjectOutOfReachError.
   */
  async find(
    principal: Principal,
    request: SearchRequest,
    given: readonly SearchKind[] | undefined,
  ): Promise<FoundByKind> {
    const { byKind } = this.sources;
    for (const kind of given ?? []) requireScope(principal, byKind[kind].scope);
    const kinds = SEARCH_KINDS.filter(
      (kind) => (given?.includes(kind) ?? true) && allows(principal, byKind[kind].scope),
    );
    const found = await Promise.all(kinds.map((kind) => byKind[kind].find(principal, request)));
    return { kinds, found };
  }
}
