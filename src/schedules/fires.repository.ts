import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type IdPlace, pageById, type PageRows, sumCounts } from '../pages/index.js';
import { type Statement, statementOf } from '../storage/index.js';
import { FireEntity } from './fire.entity.js';
import type { Fire } from './schedule.js';

@Injectable()
export class FiresRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async list(scheduleId: string, place: IdPlace): Promise<PageRows<Fire>> {
    const query = this.dataSource
      .createQueryBuilder(FireEntity, 'f')
      .where('f.scheduleId = :scheduleId', { scheduleId });
    return pageById(query, place, () => sumCounts(query, { listId: scheduleId }));
  }

  insertion(fire: Fire): Statement {
    const row: object = { ...fire };
    return statementOf(this.dataSource.createQueryBuilder().insert().into(FireEntity).values(row));
  }

  deletionOf(scheduleId: string): Statement {
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .delete()
        .from(FireEntity)
        .where('schedule_id = :scheduleId', { scheduleId }),
    );
  }

  /**
   * Deletes the fires that were recorded before the given time.
   *
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return statementOf(
      this.dataSource.createQueryBuilder().delete().from(FireEntity).where('fired_at < :before', { before }),
    );
  }
}
