import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated, CurrentPrincipal, type Principal } from '../access/index.js';
import { ValidationError } from '../errors/index.js';
import { ApiAnswers } from '../http/index.js';
import { defined, isoTime, timeOfId } from '../platform/index.js';
import { SearchQuery, type SearchResultView, SearchView } from './search.dto.js';
import type { FoundOfKind, SearchResult } from './search-result.js';
import { SearchService } from './search.service.js';

@ApiTags('search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly search: SearchService) {}

  /**
   * Finds workflows, executions, sessions, schedules, hooks, webhooks, secrets and keys by name, id or words. Searches
   * only the kinds for which your key has the read scope, such as `executions:read`. Never searches values of secrets.
   */
  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'Search', operationId: 'searchEverything' })
  @ApiAnswers({ 200: { description: 'The resources that match the search.', type: SearchView } })
  async find(
    @CurrentPrincipal() principal: Principal,
    @Query() { q, kind, project_id: projectId, limit }: SearchQuery,
  ): Promise<SearchView> {
    const text = q.trim();
    if (text === '')
      throw ValidationError.of('q', 'blank', 'must contain a character other than white space');
    const request = defined({ text, limit, projectId: projectId?.toLowerCase() });
    const { kinds, found } = await this.search.find(principal, request, kind);
    return {
      data: found.flatMap(({ results }) => results).map(resultView),
      kinds,
      kinds_with_more: kinds.filter((_, index) => found[index]?.hasMore),
      unsearched: unsearchedView(found),
    };
  }
}

function resultView({
  kind,
  id,
  title,
  status,
  projectId,
  match,
  createdAt,
}: SearchResult): SearchResultView {
  return { kind, id, title, status, project_id: projectId, match, created_at: createdAt };
}

function unsearchedView(found: readonly FoundOfKind[]): SearchView['unsearched'] {
  const range = found.find(({ unsearched }) => unsearched)?.unsearched ?? null;
  if (range === null) return null;
  return {
    created_after: isoTime(timeOfId(range.afterId)),
    created_before: isoTime(timeOfId(range.beforeId)),
  };
}
