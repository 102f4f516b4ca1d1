import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, ApiPage, IdParam } from '../http/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { DeliveriesService } from './deliveries.service.js';
import { ListDeliveriesQuery } from './webhook.dto.js';
import { WebhookDeliveryDetailView, deliveryView, WebhookDeliveryView } from './webhook.view.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('webhooks')
@Controller('v1/webhooks/:id')
export class DeliveriesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Sends a test event of type `webhook.test` immediately, even while the webhook is paused. Returns the delivery. */
  @Post('test')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Send a test event to a webhook', operationId: 'testWebhook' })
  @ApiAnswers({ 200: { description: 'The delivery of the test event.', type: WebhookDeliveryView } }, 503)
  async test(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<WebhookDeliveryView> {
    const webhook = await this.webhooks.read(principal, id);
    return deliveryView(await this.deliveries.test(principal, webhook));
  }

  /** Lists the webhook's deliveries of the last seven days. */
  @Get('deliveries')
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'List the deliveries of a webhook', operationId: 'listWebhookDeliveries' })
  @ApiPage(WebhookDeliveryView, 'Deliveries.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryView>> {
    const webhook = await this.webhooks.read(principal, id);
    const { status, created_after: createdAfter } = query;
    const filter = defined({
      status,
      createdAfter: createdAfter === undefined ? undefined : Date.parse(createdAfter),
    });
    const { items, total } = await this.deliveries.list(webhook, filter, idPlace(query));
    return page(query, { rows: items, total, cursorOf: (one) => [one.id], toItem: deliveryView });
  }

  /** Returns a delivery, including the last request that the service sent for the event. */
  @Get('deliveries/:delivery_id')
  @RequireScope('webhooks:read')
  @ApiOperation({ summary: 'Read a delivery of a webhook', operationId: 'getWebhookDelivery' })
  @ApiAnswers({ 200: { description: 'The delivery.', type: WebhookDeliveryDetailView } }, 503)
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IdParam('delivery_id') deliveryId: string,
  ): Promise<WebhookDeliveryDetailView> {
    const webhook = await this.webhooks.read(principal, id);
    const delivery = await this.deliveries.read(webhook, deliveryId);
    return { ...deliveryView(delivery), request: await this.deliveries.request(webhook, delivery) };
  }

  /**
   * Sends the event of a delivery again, with the same event id. If the delivery waits for a retry, the retry becomes
   * due and runs in the background.
   */
  @Post('deliveries/:delivery_id/redeliver')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({ summary: 'Send the event of a delivery again', operationId: 'redeliverWebhookEvent' })
  @ApiAnswers({ 200: { description: 'The updated delivery.', type: WebhookDeliveryView } }, 409, 503)
  async redeliver(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IdParam('delivery_id') deliveryId: string,
  ): Promise<WebhookDeliveryView> {
    const webhook = await this.webhooks.read(principal, id);
    const delivery = await this.deliveries.read(webhook, deliveryId);
    return deliveryView(await this.deliveries.redeliver(principal, webhook, delivery));
  }
}
