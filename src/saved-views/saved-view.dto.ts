import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import type { JsonObject } from '../expressions/index.js';
import { Choice, Nested, OptionalChoice, Text } from '../fields/index.js';
import { PageQuery } from '../pages/index.js';
import { type SavedView, VIEW_PAGES, type ViewPage, VISIBILITIES, type Visibility } from './saved-view.js';

const ID_EXAMPLE = '0199a8c0-8888-7abc-8def-0123456789ab';
const ORDERS = ['asc', 'desc'] as const;

/** Filters and columns of a saved view. */
export class ViewSettingsBody {
  /** Filters of the list, as its query parameters. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { status: ['failed'] } })
  @IsObject()
  filters: JsonObject;

  /** Names of the shown columns, in order; null for the default columns. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    maxItems: 50,
    default: null,
  })
  @ValidateIf((_, value) => value !== null)
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  columns?: string[] | null;

  @OptionalChoice({ enum: ORDERS, default: 'desc' })
  order?: (typeof ORDERS)[number];
}

export class CreateSavedViewBody {
  @Choice({ enum: VIEW_PAGES, example: 'executions' })
  page: ViewPage;

  @Text({ minLength: 1, maxLength: 100, example: 'Failed orders' })
  name: string;

  /** `own`: only you see the view. `team`: every member of the team sees the view. */
  @OptionalChoice({ enum: VISIBILITIES, default: 'own' })
  visibility?: Visibility;

  @Nested(() => ViewSettingsBody, { example: { filters: { status: ['failed'] } } })
  settings: ViewSettingsBody;
}

/** The changeable fields of a view; omitted fields keep their values. */
export class ChangeSavedViewBody extends PartialType(CreateSavedViewBody) {}

export class ListSavedViewsQuery extends PageQuery {
  @OptionalChoice({ enum: VIEW_PAGES })
  page?: ViewPage;
}

class ViewSettingsView {
  @ApiProperty({ type: 'object', additionalProperties: true, example: { status: ['failed'] } })
  filters: JsonObject;

  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true, example: null })
  columns: readonly string[] | null;

  @ApiProperty({ enum: ORDERS, example: 'desc' })
  order: (typeof ORDERS)[number];
}

/** A saved view of a list. */
export class SavedViewView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ enum: VIEW_PAGES, example: 'executions' })
  page: ViewPage;

  @ApiProperty({ type: 'string', example: 'Failed orders' })
  name: string;

  @ApiProperty({ enum: VISIBILITIES, example: 'team' })
  visibility: Visibility;

  @ApiProperty({ type: () => ViewSettingsView })
  settings: ViewSettingsView;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  created_by: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

export function savedViewView(view: SavedView): SavedViewView {
  return {
    id: view.id,
    page: view.page,
    name: view.name,
    visibility: view.visibility,
    settings: view.settings,
    created_by: view.userId,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
  };
}
