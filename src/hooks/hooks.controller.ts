import { workflowItemsFilter } from '../workflows/index.js';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import {
  ApiAnswers,
  ApiPage,
  ETAG_HEADER,
  etagOf,
  IdParam,
  IfMatch,
  LOCATION_HEADER,
  matched,
  TakesIfMatch,
} from '../http/index.js';
import { Idempotent } from '../idempotency/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { HookAddress } from './hook-address.js';
import { hookInput } from './hook-input.js';
import { ChangeHookBody, CreateHookBody, ListHooksQuery, RotateHookBody } from './hook.dto.js';
import type { Hook } from './hook.js';
import { deliveryView, DeliveryView, hookView, HookView, HookWithUrlView } from './hook.view.js';
import { HooksService, type HookWithToken } from './hooks.service.js';

const HEADERS_OF_ONE = { ...LOCATION_HEADER, ...ETAG_HEADER };

/**
 * Removes the URL from a hook. Repeated requests get the hook without its URL, because the URL is a secret and is not
 * stored.
 */
const WITHOUT_URL = ({ url: _, ...hook }: HookWithUrlView): HookView => hook;

@ApiTags('hooks')
@Controller('v1/hooks')
export class HooksController {
  constructor(
    private readonly hooks: HooksService,
    private readonly address: HookAddress,
  ) {}

  /**
   * Creates a hook: a URL by which another system starts a workflow or signals an execution. Only this response
   * contains the URL.
   */
  @Post()
  @RequireScope('hooks:write')
  @Idempotent<HooksController, HookWithUrlView>({
    render: async (controller, { principal, response, resource }) =>
      controller.created(await controller.hooks.read(principal, resource.id), response),
    withoutSecrets: WITHOUT_URL,
  })
  @ApiOperation({ summary: 'Create a hook' })
  @ApiAnswers({ 201: { description: 'The hook.', type: HookWithUrlView, headers: HEADERS_OF_ONE } }, 404)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateHookBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HookWithUrlView> {
    const { project_id: projectId, workflow_id: workflowId, action = 'start', ...fields } = body;
    const place = defined({
      projectId: projectId?.toLowerCase(),
      workflowId: workflowId?.toLowerCase() ?? null,
      action,
    });
    const { hook, token } = await this.hooks.create(principal, place, hookInput(fields));
    return Object.assign(this.created(hook, response), { url: this.address.of(token) });
  }

  @Get()
  @RequireScope('hooks:read')
  @ApiOperation({ summary: 'List hooks' })
  @ApiPage(HookView, 'Hooks.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListHooksQuery,
  ): Promise<Page<HookView>> {
    const filter = defined({ ...workflowItemsFilter(query), status: query.status });
    const { items, total } = await this.hooks.list(principal, filter, idPlace(query));
    const toItem = (hook: Hook): HookView => this.viewOf(hook);
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem });
  }

  @Get(':id')
  @RequireScope('hooks:read')
  @ApiOperation({ summary: 'Read a hook' })
  @ApiAnswers({ 200: { description: 'The hook.', type: HookView, headers: ETAG_HEADER } })
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HookView> {
    return this.tagged(await this.hooks.read(principal, id), response);
  }

  /** Changes a hook. The field `status` pauses or resumes the hook. */
  @Patch(':id')
  @RequireScope('hooks:write')
  @ApiOperation({ summary: 'Change a hook' })
  @TakesIfMatch()
  @ApiAnswers({ 200: { description: 'The changed hook.', type: HookView, headers: ETAG_HEADER } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: ChangeHookBody,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<HookView> {
    const current = await this.current(principal, id, ifMatch);
    return this.tagged(await this.hooks.change(principal, current, hookInput(body)), response);
  }

  /** Deletes a hook, its URL and its recorded deliveries. Executions that the hook started continue. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('hooks:write')
  @ApiOperation({ summary: 'Delete a hook' })
  @TakesIfMatch()
  @ApiAnswers({ 204: { description: 'The hook is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    await this.hooks.delete(principal, await this.current(principal, id, ifMatch));
  }

  /**
   * Gives a hook a new URL. Only this response contains the new URL. The old URL continues to work for
   * `overlap_seconds`.
   */
  @Post(':id/rotate')
  @HttpCode(200)
  @RequireScope('hooks:write')
  @Idempotent<HooksController, HookWithUrlView>({
    render: async (controller, { principal, response, resource }) =>
      controller.tagged(await controller.hooks.read(principal, resource.id), response),
    withoutSecrets: WITHOUT_URL,
  })
  @ApiOperation({ summary: 'Rotate the URL of a hook' })
  @ApiAnswers({
    200: { description: 'The hook with its new URL.', type: HookWithUrlView, headers: ETAG_HEADER },
  })
  async rotate(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { overlap_seconds }: RotateHookBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HookWithUrlView> {
    const current = await this.hooks.read(principal, id);
    const { hook, token }: HookWithToken = await this.hooks.rotate(principal, current, overlap_seconds);
    response.set('Cache-Control', 'no-store');
    return Object.assign(this.tagged(hook, response), { url: this.address.of(token) });
  }

  /**
   * Lists the requests that reached a hook in the last 7 days, with the outcome of each request. Refused requests have
   * a reason.
   */
  @Get(':id/deliveries')
  @RequireScope('hooks:read')
  @ApiOperation({ summary: 'List the deliveries of a hook', operationId: 'listHookDeliveries' })
  @ApiPage(DeliveryView, 'Deliveries.')
  async deliveries(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<DeliveryView>> {
    const hook = await this.hooks.read(principal, id);
    const { items, total } = await this.hooks.deliveries(hook, idPlace(query));
    return page(query, { rows: items, total, cursorOf: (row) => [row.id], toItem: deliveryView });
  }

  private created(hook: Hook, response: Response): HookView {
    response.set({ Location: `/v1/hooks/${hook.id}`, 'Cache-Control': 'no-store' });
    return this.tagged(hook, response);
  }

  private tagged(hook: Hook, response: Response): HookView {
    response.set('ETag', etagOf(hook.revision));
    return this.viewOf(hook);
  }

  private viewOf(hook: Hook): HookView {
    return hookView(hook, this.address.of(hook.tokenPrefix));
  }

  private async current(principal: Principal, id: string, ifMatch: string | undefined): Promise<Hook> {
    return matched(await this.hooks.read(principal, id), ifMatch);
  }
}
