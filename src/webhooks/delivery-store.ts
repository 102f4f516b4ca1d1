import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../audit/index.js';
import { isoTime } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { Delivery, Retry } from './delivery.js';
import type { DeliveryOutcome } from './delivery-outcome.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { Webhook } from './webhook.js';
import { type Progress, WebhooksRepository } from './webhooks.repository.js';

const SERVICE: Actor = { userId: null, keyId: null, address: '' };

@Injectable()
export class DeliveryStore {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly projects: ProjectsService,
    private readonly audit: AuditTrail,
    private readonly writer: Writer,
  ) {}

  active(): Promise<readonly Webhook[]> {
    return this.webhooks.active();
  }

  find(id: string): Promise<Webhook | undefined> {
    return this.webhooks.find(id);
  }

  retries(webhookId: string): Promise<readonly Retry[]> {
    return this.webhooks.retries(webhookId);
  }

  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined> {
    return this.deliveries.find(webhookId, id);
  }

  /**
   * Deletes the deliveries that were created before a time.
   * @param before epoch milliseconds
   */
  removeLogBefore(before: number): Promise<void> {
    return this.writer.commit({ writes: [this.deliveries.deletionBefore(before)] });
  }

  /**
   * Takes the lease of a webhook, which allows this process to deliver its events.
   * @param leaseUntil epoch milliseconds
   * @throws WebhookLeaseLostError if another process took the lease first
   */
  acquire(webhook: Webhook, owner: string, leaseUntil: number): Promise<void> {
    return this.writer.commit({ writes: [this.webhooks.acquisition(webhook, owner, isoTime(leaseUntil))] });
  }

  /**
   * Stores the results of deliveries in one commit: cursor, totals, retries and delivery log.
   * @throws WebhookLeaseLostError if another process took the lease
   */
  async commit(
    webhook: Webhook,
    outcome: DeliveryOutcome,
    progress: Omit<Progress, 'delivered' | 'failed' | 'disabledReason'>,
  ): Promise<void> {
    const { id, leaseEpoch } = webhook;
    const { delivered, failed, disabledReason } = outcome;
    const writes: Write[] = [
      this.webhooks.progress(id, leaseEpoch, { ...progress, delivered, failed, disabledReason }),
      ...[...outcome.updated.values()].map((delivery) => this.deliveries.update(delivery)),
      ...[...outcome.retries].flatMap(([executionId, retry]) =>
        retry === null
          ? [this.webhooks.retryDeletion(id, executionId)]
          : this.webhooks.retryReplacement(retry),
      ),
      ...[...outcome.inserted.values()].map((delivery) => this.deliveries.insertion(delivery)),
    ];
    if (disabledReason !== null) writes.push(...(await this.disabledEntry(webhook, disabledReason)));
    await this.writer.commit({ key: id, writes });
  }

  private async disabledEntry({ id, projectId }: Webhook, reason: string): Promise<readonly Write[]> {
    const project = await this.projects.find(projectId);
    if (project === null) return [];
    return [
      this.audit.entry(SERVICE, {
        teamId: project.teamId,
        projectId,
        action: 'webhook.disabled',
        target: { type: 'webhook', id },
        before: { status: 'active' },
        after: { status: 'disabled', status_reason: reason },
      }),
    ];
  }
}
