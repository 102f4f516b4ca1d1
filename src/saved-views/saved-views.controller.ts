import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { Idempotent } from '../idempotency/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { defined } from '../platform/index.js';
import {
  ChangeSavedViewBody,
  CreateSavedViewBody,
  ListSavedViewsQuery,
  savedViewView,
  SavedViewView,
  type ViewSettingsBody,
} from './saved-view.dto.js';
import type { SavedView, ViewSettings } from './saved-view.js';
import { SavedViewsService } from './saved-views.service.js';

@ApiTags('users')
@Controller('v1/saved-views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  /** Saves filters, columns and order of a list in the dashboard, for yourself or for the team. */
  @Post()
  @RequireScope('users:write')
  @Idempotent<SavedViewsController>({
    render: async (controller, { principal, response, resource }) =>
      controller.created(await controller.views.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Save a view' })
  @ApiAnswers({ 201: { description: 'The view.', type: SavedViewView, headers: LOCATION_HEADER } }, 409)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { page: of, name, visibility, settings }: CreateSavedViewBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SavedViewView> {
    const input = { page: of, name, visibility: visibility ?? 'own', settings: settingsOf(settings) };
    return this.created(await this.views.create(principal, input), response);
  }

  /** Lists your views and the shared views of the team. */
  @Get()
  @RequireScope('users:read')
  @ApiOperation({ summary: 'List saved views' })
  @ApiPage(SavedViewView, 'Saved views.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListSavedViewsQuery,
  ): Promise<Page<SavedViewView>> {
    const { items, total } = await this.views.list(principal, query.page, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: savedViewView });
  }

  @Get(':id')
  @RequireScope('users:read')
  @ApiOperation({ summary: 'Read a saved view' })
  @ApiAnswers({ 200: { description: 'The view.', type: SavedViewView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<SavedViewView> {
    return savedViewView(await this.views.read(principal, id));
  }

  /** Changes a view; omitted fields keep their values. Only the creator and admins may change a view of the team. */
  @Patch(':id')
  @RequireScope('users:write')
  @ApiOperation({ summary: 'Change a saved view' })
  @ApiAnswers({ 200: { description: 'The changed view.', type: SavedViewView } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { page: of, name, visibility, settings }: ChangeSavedViewBody,
  ): Promise<SavedViewView> {
    const input = defined({ page: of, name, visibility, settings: settings && settingsOf(settings) });
    return savedViewView(await this.views.change(principal, id, input));
  }

  /** Deletes a view. Only the creator and admins may delete a view of the team. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('users:write')
  @ApiOperation({ summary: 'Delete a saved view' })
  @ApiAnswers({ 204: { description: 'The view is deleted.' } }, 409)
  async delete(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<void> {
    await this.views.delete(principal, id);
  }

  private created(view: SavedView, response: Response): SavedViewView {
    response.set('Location', `/v1/saved-views/${view.id}`);
    return savedViewView(view);
  }
}

function settingsOf({ filters, columns, order }: ViewSettingsBody): ViewSettings {
  return { filters, columns: columns ?? null, order: order ?? 'desc' };
}
