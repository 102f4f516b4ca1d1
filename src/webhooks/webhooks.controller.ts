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
import { Idempotent, type RepeatableRoute } from '../idempotency/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { EventSinks } from '../event-sinks/index.js';
import { defined } from '../platform/index.js';
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  ListWebhooksQuery,
  ReplayBody,
  ResumeWebhookBody,
  RotateSecretBody,
} from './webhook.dto.js';
import { webhookInput } from './webhook-input.js';
import type { Webhook } from './webhook.js';
import {
  type NewWebhookFields,
  NewWebhookView,
  type WebhookFields,
  webhookView,
  WebhookView,
} from './webhook.view.js';
import { WebhooksService } from './webhooks.service.js';

/** Options of idempotent routes that return a new secret. The response to a repeated request omits the secret. */
const SHOWN_ONCE: RepeatableRoute<WebhooksController, NewWebhookFields> = {
  render: (controller, { principal, response, resource }) =>
    controller.readCreated(principal, resource.id, response),
  withoutSecrets: (body) => ({ ...body, secret: undefined }),
};
const ONE = { description: 'The webhook.', type: WebhookView, headers: ETAG_HEADER };

@ApiTags('webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly sinks: EventSinks,
  ) {}

  /**
   * Creates a webhook. After this request, the service sends new events of the project to the webhook's URL. Only this
   * response contains the signing secret.
   */
  @Post()
  @RequireScope('webhooks:write')
  @Idempotent(SHOWN_ONCE)
  @ApiOperation({ summary: 'Create a webhook' })
  @ApiAnswers(
    {
      201: {
        description: 'The webhook with its signing secret.',
        type: NewWebhookView,
        headers: { ...LOCATION_HEADER, ...ETAG_HEADER },
      },
    },
    404,
    503,
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { project_id: projectId, ...body }: CreateWebhookBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookView> {
    const input = { ...webhookInput(body, this.sinks), url: body.url };
    const { webhook, secret } = await this.webhooks.create(principal, projectId?.toLowerCase(), input);
    return { ...(await this.created(webhook, response)), secret };
  }

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'List webhooks' })
  @ApiPage(WebhookView, 'Webhooks.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListWebhooksQuery,
  ): Promise<Page<WebhookView>> {
    const { project_id: projectId, status, q } = query;
    const filter = defined({ projectId: projectId?.toLowerCase(), status, q });
    const { items, total } = await this.webhooks.list(principal, filter, idPlace(query));
    const lags = await this.webhooks.lags(items);
    const toItem = (webhook: Webhook): WebhookView => webhookView(webhook, lags.get(webhook.id) ?? 0);
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem });
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'Read a webhook' })
  @ApiAnswers({ 200: ONE })
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    return this.tagged(await this.webhooks.read(principal, id), response);
  }

  /**
   * Changes a webhook. Omitted fields keep their values. The change also applies to events that are not yet delivered.
   */
  @Patch(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Change a webhook' })
  @TakesIfMatch()
  @ApiAnswers({ 200: ONE }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: ChangeWebhookBody,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<WebhookView> {
    const current = await this.current(principal, id, ifMatch);
    const input = webhookInput(body, this.sinks);
    return this.tagged(await this.webhooks.change(principal, current, input), response);
  }

  /** Deletes a webhook and its delivery log. Events that are not yet delivered are never sent. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Delete a webhook' })
  @TakesIfMatch()
  @ApiAnswers({ 204: { description: 'The webhook is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    await this.webhooks.delete(principal, await this.current(principal, id, ifMatch));
  }

  /**
   * Replaces the signing secret of a webhook. Until the end of the overlap, deliveries have signatures with both the
   * old and the new secret.
   */
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @Idempotent(SHOWN_ONCE)
  @ApiOperation({ summary: 'Rotate the signing secret of a webhook' })
  @ApiAnswers(
    { 200: { description: 'The webhook with its new secret.', type: NewWebhookView, headers: ETAG_HEADER } },
    409,
    503,
  )
  async rotateSecret(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { overlap_seconds: overlapSeconds }: RotateSecretBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookView> {
    const current = await this.webhooks.read(principal, id);
    const { webhook, secret } = await this.webhooks.rotateSecret(principal, current, overlapSeconds);
    return { ...(await this.tagged(webhook, response)), secret };
  }

  /** Pauses the deliveries of a webhook and keeps its cursor. Pausing a paused webhook changes nothing. */
  @Post(':id/pause')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Pause a webhook' })
  @ApiAnswers({ 200: ONE }, 409)
  async pause(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    const current = await this.webhooks.read(principal, id);
    return this.tagged(await this.webhooks.pause(principal, current), response);
  }

  /**
   * Resumes the deliveries of a webhook from its cursor, even if the service had disabled the webhook. Failed events
   * are sent again immediately.
   */
  @Post(':id/resume')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Resume a webhook' })
  @ApiAnswers({ 200: ONE }, 409)
  async resume(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { skip }: ResumeWebhookBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    const current = await this.webhooks.read(principal, id);
    return this.tagged(await this.webhooks.resume(principal, current, skip), response);
  }

  /**
   * Moves the cursor of a webhook back. The service sends all events after the cursor again in the background, with the
   * same ids, and then new events.
   */
  @Post(':id/replay')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Replay events to a webhook' })
  @ApiAnswers(
    {
      202: {
        ...ONE,
        description:
          'The webhook. `lag_events` is the number of events that the service still has to send to the webhook.',
      },
    },
    409,
  )
  async replay(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: ReplayBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookView> {
    const current = await this.webhooks.read(principal, id);
    return this.tagged(await this.webhooks.replay(principal, current, body), response);
  }

  async readCreated(principal: Principal, id: string, response: Response): Promise<NewWebhookView> {
    return this.created(await this.webhooks.read(principal, id), response);
  }

  private created(webhook: Webhook, response: Response): Promise<WebhookFields> {
    response.set('Location', `/v1/webhooks/${webhook.id}`);
    return this.tagged(webhook, response);
  }

  private async current(principal: Principal, id: string, ifMatch: string | undefined): Promise<Webhook> {
    return matched(await this.webhooks.read(principal, id), ifMatch);
  }

  private async tagged(webhook: Webhook, response: Response): Promise<WebhookFields> {
    response.set('ETag', etagOf(webhook.revision));
    const lags = await this.webhooks.lags([webhook]);
    return webhookView(webhook, lags.get(webhook.id) ?? 0);
  }
}
