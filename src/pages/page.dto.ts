import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
/** Beyond this offset, a caller continues by `cursor`. */
export const MAX_OFFSET = 10_000;

/** Query parameters of every list. */
export class PageQuery {
  /** Items per page. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Items on a page.',
    example: 20,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  limit: number = DEFAULT_LIMIT;

  /** Items to skip before the page. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OFFSET,
    default: 0,
    description: 'Items to leave out before the page.',
    example: 0,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  offset: number = 0;

  /** `desc` is newest first. */
  @ApiPropertyOptional({
    enum: ['asc', 'desc'],
    default: 'desc',
    description: '`desc` is newest first.',
    example: 'desc',
  })
  @IsOptional()
  @IsIn(['asc', 'desc'])
  order: 'asc' | 'desc' = 'desc';

  /** `pagination.next_cursor` of the previous page; instead of `offset`. */
  @ApiPropertyOptional({
    type: String,
    maxLength: 1024,
    description: '`pagination.next_cursor` of the page before; instead of `offset`.',
    example: 'WyIyMDI2LTExLTIxIl0',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1024)
  cursor?: string;
}

/** Position of a page in its list. */
export class Pagination {
  @ApiProperty({ type: 'integer', description: 'All items of the list.', example: 42 })
  total: number;

  @ApiProperty({ type: 'integer', example: 20 })
  limit: number;

  @ApiProperty({ type: 'integer', example: 0 })
  offset: number;

  @ApiProperty({ type: Boolean, description: 'Whether items follow this page.', example: true })
  has_more: boolean;

  @ApiPropertyOptional({
    type: String,
    description: 'For `cursor` of the next page; there where `has_more` is true.',
    example: 'WyIyMDI2LTExLTIxIl0',
  })
  next_cursor?: string;
}
