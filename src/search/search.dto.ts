import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsIn, IsOptional } from 'class-validator';
import { OptionalId, OptionalInteger, Text } from '../fields/index.js';
import { MATCHED_FIELDS, type MatchedField, SEARCH_KINDS, type SearchKind } from './search-result.js';

const MAX_LIMIT = 20;
const DEFAULT_LIMIT = 5;

export class SearchQuery {
  /**
   * Search text: a part of a name, the beginning of an id or of its last eight characters, or one or more words. An
   * execution matches if every search word is the beginning of a word in its error, metadata or input.
   */
  @Text({ minLength: 1, maxLength: 255, example: 'refund' })
  q: string;

  /** Kinds of resources to search. The parameter can be repeated. Default: every kind that the caller may read. */
  @ApiPropertyOptional({ enum: SEARCH_KINDS, isArray: true })
  @IsOptional()
  @IsIn(SEARCH_KINDS, { each: true })
  @IsArray()
  kind?: SearchKind[];

  /** Project in which to search. Default: all projects that the key can access. */
  @OptionalId()
  project_id?: string;

  /** Maximum number of results for each kind of resource. */
  @OptionalInteger({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  limit: number = DEFAULT_LIMIT;
}

export class SearchMatchView {
  @ApiProperty({ enum: MATCHED_FIELDS, example: 'error' })
  field: MatchedField;

  /** Text that matches the search, such as an error message. For an execution, an excerpt of at most 120 characters. */
  @ApiProperty({ type: 'string', example: 'The card was refused.' })
  text: string;
}

export class SearchResultView {
  @ApiProperty({ enum: SEARCH_KINDS, example: 'execution' })
  kind: SearchKind;

  @ApiProperty({ type: 'string', format: 'uuid' })
  id: string;

  /**
   * Display name of the resource. For an execution, the name of its workflow, or the execution id if the caller may not
   * read workflows.
   */
  @ApiProperty({ type: 'string', example: 'Order fulfillment' })
  title: string;

  /** Status of the resource. Null for kinds of resources that have no status. */
  @ApiProperty({ type: 'string', nullable: true, example: 'failed' })
  status: string | null;

  /** Project of the resource. Null for an API key that is not bound to a project. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  project_id: string | null;

  @ApiProperty({ type: SearchMatchView })
  match: SearchMatchView;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

export class UnsearchedView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  created_after: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_before: string;
}

export class SearchView {
  /** Results, grouped by kind in the order of `kinds`. Within a kind, the newest result comes first. */
  @ApiProperty({ type: SearchResultView, isArray: true })
  data: readonly SearchResultView[];

  /** The kinds of resources that were searched. */
  @ApiProperty({ enum: SEARCH_KINDS, isArray: true })
  kinds: readonly SearchKind[];

  /** The kinds for which there are, or may be, more results than `limit`. */
  @ApiProperty({ enum: SEARCH_KINDS, isArray: true })
  kinds_with_more: readonly SearchKind[];

  /**
   * Range of creation times of the executions that the word search skipped, because the search index does not contain
   * these executions yet. Null if the search skipped no execution.
   */
  @ApiProperty({ type: UnsearchedView, nullable: true })
  unsearched: UnsearchedView | null;
}
