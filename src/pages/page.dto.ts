import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OptionalChoice, OptionalInteger, OptionalText } from '../fields/index.js';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
/** Maximum offset of a page. For later pages, callers use `cursor`. */
export const MAX_OFFSET = 10_000;

/** Query parameters of every list. */
export class PageQuery {
  /** Maximum number of items on a page. */
  @OptionalInteger({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, example: 20 })
  limit: number = DEFAULT_LIMIT;

  /** Number of items to skip before the page. */
  @OptionalInteger({ minimum: 0, maximum: MAX_OFFSET, default: 0, example: 0 })
  offset: number = 0;

  /** Sort order: `desc` returns the newest items first, `asc` the oldest. */
  @OptionalChoice({ enum: ['asc', 'desc'], default: 'desc', example: 'desc' })
  order: 'asc' | 'desc' = 'desc';

  /** Cursor of the page: `pagination.next_cursor` of the previous page. Send either `cursor` or `offset`. */
  @OptionalText({ maxLength: 1024, example: 'WyIyMDI2LTExLTIxIl0' })
  cursor?: string;
}

/** Query parameters of a list that can be searched. */
export class SearchedPageQuery extends PageQuery {
  @OptionalText({
    minLength: 1,
    maxLength: 255,
    description:
      'Search text: a part of the name, in upper or lower case. A text of at least four characters also matches the beginning of an id, or the beginning of its last eight characters.',
    example: 'refund',
  })
  q?: string;
}

/** Position of a page in the list. */
export class Pagination {
  @ApiProperty({ type: 'integer', description: 'Number of items in the whole list.', example: 42 })
  total: number;

  @ApiProperty({ type: 'integer', example: 20 })
  limit: number;

  @ApiProperty({ type: 'integer', example: 0 })
  offset: number;

  @ApiProperty({ type: Boolean, description: 'True if more items exist after this page.', example: true })
  has_more: boolean;

  @ApiPropertyOptional({
    type: String,
    description: 'Cursor of the next page. Send it as `cursor`. Present if `has_more` is true.',
    example: 'WyIyMDI2LTExLTIxIl0',
  })
  next_cursor?: string;
}
