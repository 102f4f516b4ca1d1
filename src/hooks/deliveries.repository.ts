import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type IdPlace, pageById, type PageRows, sumCounts } from '../pages/index.js';
import { type Statement, statementOf } from '../storage/index.js';
import { DeliveryEntity } from './delivery.entity.js';
import type { Delivery } from './hook.js';
import { DeliveryRepeatedError } from './hooks.errors.js';

@Injectable()
export class DeliveriesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async list(hookId: string, place: IdPlace): Promise<PageRows<Delivery>> {
    const query = this.dataSource
      .createQueryBuilder(DeliveryEntity, 'd')
      .where('d.hookId = :hookId', { hookId });
    return pageById(query, place, () => sumCounts(query, { listId: hookId }));
  }

  /** The delivery of a hook that reserved the given key, if one exists. */
  async findFirst(hookId: string, key: string): Promise<Delivery | undefined> {
    const first = await this.dataSource
      .createQueryBuilder(DeliveryEntity, 'd')
      .where('d.hookId = :hookId AND d.claimedKey = :key', { hookId, key })
      .getOne();
    return first ?? undefined;
  }

  /**
   * Stores an accepted delivery and reserves its key. The commit fails with `DeliveryRepeatedError` if an
   * earlier delivery to the hook reserved the same key.
   */
  claim(delivery: Delivery): Statement {
    return statementOf(this.insert({ ...delivery, claimedKey: delivery.key }), {
      onDuplicate: () => new DeliveryRepeatedError(),
    });
  }

  record(delivery: Delivery): Statement {
    return statementOf(this.insert({ ...delivery, claimedKey: null }));
  }

  deletionOf(hookId: string): Statement {
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .delete()
        .from(DeliveryEntity)
        .where('hook_id = :hookId', { hookId }),
    );
  }

  /**
   * Deletes deliveries that were received before a time.
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .delete()
        .from(DeliveryEntity)
        .where('received_at < :before', { before }),
    );
  }

  private insert(row: object): ReturnType<ReturnType<DataSource['createQueryBuilder']>['insert']> {
    return this.dataSource.createQueryBuilder().insert().into(DeliveryEntity).values(row);
  }
}
