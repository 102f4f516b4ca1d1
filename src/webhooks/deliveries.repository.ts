import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, sumCounts } from '../pages/index.js';
import { firstIdAt } from '../platform/index.js';
import {
  deleteStatement,
  insertShape,
  type Statement,
  updateStatement,
  type Write,
} from '../storage/index.js';
import type { Delivery, DeliveryStatus } from './delivery.js';
import { WebhookDeliveryEntity } from './delivery.entity.js';
import { DeliveryChangedError } from './webhooks.errors.js';

const INSERT = insertShape('webhook_deliveries', {
  id: 'uuid',
  webhook_id: 'uuid',
  event_id: 'uuid',
  event_type: 'text',
  execution_id: 'uuid',
  sequence: 'integer',
  status: 'text',
  attempts: 'json',
  next_attempt_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  /** Lists only deliveries that were created at or after this time, in epoch milliseconds. */
  readonly createdAfter?: number;
}

@Injectable()
export class DeliveriesRepository {
  constructor(
    @InjectRepository(WebhookDeliveryEntity) private readonly deliveries: Repository<WebhookDeliveryEntity>,
  ) {}

  async find(webhookId: string, id: string): Promise<Delivery | undefined> {
    const found = await this.deliveries
      .createQueryBuilder('d')
      .where('d.id = :id AND d.webhookId = :webhookId', { id, webhookId })
      .getOne();
    return found ?? undefined;
  }

  async list(
    webhookId: string,
    { status, createdAfter }: DeliveryFilter,
    place: IdPlace,
  ): Promise<PageRows<Delivery>> {
    const query = this.deliveries.createQueryBuilder('d').where('d.webhookId = :webhookId', { webhookId });
    if (status !== undefined) query.andWhere('d.status = :status', { status });
    if (createdAfter !== undefined) query.andWhere('d.id >= :first', { first: firstIdAt(createdAfter) });
    return pageById(query, place, {
      countRows: () => sumCounts(query, { listId: webhookId, status, from: createdAfter }),
    });
  }

  insertion(delivery: Delivery): Write {
    return {
      shape: INSERT,
      row: [
        delivery.id,
        delivery.webhookId,
        delivery.eventId,
        delivery.eventType,
        delivery.executionId,
        delivery.sequence,
        delivery.status,
        JSON.stringify(delivery.attempts),
        delivery.nextAttemptAt,
        delivery.createdAt,
        delivery.updatedAt,
      ],
    };
  }

  update({ id, status, attempts, nextAttemptAt, updatedAt }: Delivery): Statement {
    return updateStatement(
      this.deliveries,
      { status, attempts: [...attempts], nextAttemptAt, updatedAt },
      { id },
    );
  }

  /** Replaces a delivery. The commit fails with `DeliveryChangedError` if the delivery has changed since its read. */
  replacement({ id, updatedAt: readAt }: Delivery, { status, attempts, updatedAt }: Delivery): Statement {
    return updateStatement(
      this.deliveries,
      { status, attempts: [...attempts], updatedAt },
      { id, updatedAt: readAt },
      { orFail: () => new DeliveryChangedError() },
    );
  }

  /** Marks waiting deliveries of events after a position as failed, because a replay sends these events again. */
  supersession(webhookId: string, position: number): Statement {
    return updateStatement(this.deliveries, { status: 'failed', nextAttemptAt: null }, [
      `webhook_id = :webhookId AND status = 'retrying' AND id IN (SELECT delivery_id FROM webhook_retries WHERE webhook_id = :webhookId AND position > :position)`,
      { webhookId, position },
    ]);
  }

  /**
   * Deletes the deliveries that were created before a time, except those that wait for a retry.
   * @param before epoch milliseconds
   */
  deletionBefore(before: number): Statement {
    return deleteStatement(this.deliveries, [
      `id < :first AND status <> 'retrying'`,
      { first: firstIdAt(before) },
    ]);
  }
}
