import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, sumCounts } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement } from '../storage/index.js';
import { HookDeliveryEntity } from './delivery.entity.js';
import type { Delivery } from './hook.js';
import { DeliveryRepeatedError } from './hooks.errors.js';

@Injectable()
export class DeliveriesRepository {
  constructor(
    @InjectRepository(HookDeliveryEntity) private readonly deliveries: Repository<HookDeliveryEntity>,
  ) {}

  async list(hookId: string, place: IdPlace): Promise<PageRows<Delivery>> {
    const query = this.deliveries.createQueryBuilder('d').where('d.hookId = :hookId', { hookId });
    return pageById(query, place, { countRows: () => sumCounts(query, { listId: hookId }) });
  }

  /** The delivery of a hook that reserved the given key, if one exists. */
  async findFirst(hookId: string, key: string): Promise<Delivery | undefined> {
    const first = await this.deliveries
      .createQueryBuilder('d')
      .where('d.hookId = :hookId AND d.claimedKey = :key', { hookId, key })
      .getOne();
    return first ?? undefined;
  }

  /**
   * Stores an accepted delivery and reserves its key. The commit fails with `DeliveryRepeatedError` if an
   * earlier delivery to the hook reserved the same key.
   */
  claim(delivery: Delivery): Statement {
    const row = { ...delivery, claimedKey: delivery.key };
    return insertStatement(this.deliveries, row, { onDuplicate: () => new DeliveryRepeatedError() });
  }

  record(delivery: Delivery): Statement {
    return insertStatement(this.deliveries, { ...delivery, claimedKey: null });
  }

  deletionOf(hookId: string): Statement {
    return deleteStatement(this.deliveries, { hookId });
  }

  /**
   * Deletes deliveries that were received before a time.
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return deleteStatement(this.deliveries, ['received_at < :before', { before }]);
  }
}
