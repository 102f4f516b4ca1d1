import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AuditTrail } from '../audit/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { changeTime, CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { type DeliveryFilter, DeliveriesRepository } from './deliveries.repository.js';
import type { Delivery } from './delivery.js';
import { StoredEvents, TEST_EVENT_TYPE, testEvent } from './stored-events.js';
import { WebhookRunner } from './webhook-runner.js';
import { WebhookSender } from './webhook-sender.js';
import type { Webhook } from './webhook.js';
import type { WebhookDeliveryRequestView } from './webhook.view.js';
import {
  DeliveryChangedError,
  DeliveryNotFoundError,
  EventGoneError,
  WebhookNotActiveError,
} from './webhooks.errors.js';
import { WebhooksRepository } from './webhooks.repository.js';

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly events: StoredEvents,
    private readonly sender: WebhookSender,
    private readonly runner: WebhookRunner,
    private readonly audit: AuditTrail,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list(webhook: Webhook, filter: DeliveryFilter, place: IdPlace): Promise<PageRows<Delivery>> {
    return this.repository.list(webhook.id, filter, place);
  }

  /** @throws DeliveryNotFoundError */
  async read(webhook: Webhook, id: string): Promise<Delivery> {
    const delivery = await this.repository.find(webhook.id, id);
    if (delivery === undefined) throw new DeliveryNotFoundError(id);
    return delivery;
  }

  /** Returns the request that was last sent for a delivery; null if retention has deleted the event. */
  async request(webhook: Webhook, delivery: Delivery): Promise<WebhookDeliveryRequestView | null> {
    const event = await this.events.of(webhook, delivery);
    if (event === undefined) return null;
    const at = Date.parse(delivery.attempts.at(-1)?.at ?? delivery.createdAt);
    return this.sender.request(webhook, event, at);
  }

  /** Sends a test event immediately, even if the webhook is paused or disabled. A failed test event is not retried. */
  async test(principal: Principal, webhook: Webhook): Promise<Delivery> {
    const [eventId, at] = [newId(), isoTime(this.clock.now())];
    const event = testEvent(webhook, eventId, at);
    const attempt = await this.sender.send(webhook, event, new AbortController().signal);
    const delivery: Delivery = {
      ...{ id: newId(), webhookId: webhook.id, eventId, eventType: TEST_EVENT_TYPE },
      ...{ executionId: null, sequence: null, nextAttemptAt: null },
      status: attempt.error === null ? 'delivered' : 'failed',
      attempts: [attempt],
      ...{ createdAt: at, updatedAt: isoTime(this.clock.now()) },
    };
    await this.writer.commit({
      writes: [
        this.repository.insertion(delivery),
        this.entry(principal, 'webhook.tested', webhook, delivery),
      ],
    });
    return delivery;
  }

  /**
   * Sends the event of a delivery again. If a retry is scheduled, the retry becomes due immediately, so that the events
   * of the execution stay in order.
   * @throws EventGoneError if retention has deleted the event
   * @throws DeliveryNotFoundError if the log has lost the delivery meanwhile
   * @throws WebhookNotActiveError if a retry is scheduled and the webhook is not active
   */
  async redeliver(principal: Principal, webhook: Webhook, delivery: Delivery): Promise<Delivery> {
    const entry = this.entry(principal, 'webhook.redelivered', webhook, delivery);
    if (delivery.status === 'retrying') {
      if (webhook.status !== 'active') throw new WebhookNotActiveError();
      const now = isoTime(this.clock.now());
      await this.writer.commit({
        writes: [
          this.webhooks.retriesDueAt(webhook.id, now, delivery.id),
          this.webhooks.dueAt(webhook.id, now),
          entry,
        ],
      });
      this.runner.changed();
      return { ...delivery, nextAttemptAt: now };
    }
    const event = await this.events.of(webhook, delivery);
    if (event === undefined) throw new EventGoneError();
    const attempt = await this.sender.send(webhook, event, new AbortController().signal);
    for (let current = delivery; ; current = await this.read(webhook, delivery.id)) {
      const next: Delivery = {
        ...current,
        attempts: [...current.attempts, attempt],
        status: attempt.error === null ? 'delivered' : current.status,
        updatedAt: changeTime(current.updatedAt, this.clock.now()),
      };
      try {
        await this.writer.commit({ writes: [this.repository.replacement(current, next), entry] });
        return next;
      } catch (error) {
        // Another request has sent the event again at the same time. Both attempts must stay in the log.
        if (!(error instanceof DeliveryChangedError)) throw error;
      }
    }
  }

  private entry(
    principal: Principal,
    action: 'webhook.tested' | 'webhook.redelivered',
    { id, projectId }: Webhook,
    { id: deliveryId, eventId, eventType }: Delivery,
  ): ReturnType<AuditTrail['entry']> {
    return this.audit.entry(principal, {
      teamId: principal.teamId,
      projectId,
      action,
      target: { type: 'webhook', id },
      after: { delivery_id: deliveryId, event_id: eventId, event_type: eventType },
    });
  }
}
