import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, sumCounts } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement } from '../storage/index.js';
import { FireEntity } from './fire.entity.js';
import type { Fire } from './schedule.js';

@Injectable()
export class FiresRepository {
  constructor(@InjectRepository(FireEntity) private readonly fires: Repository<FireEntity>) {}

  async list(scheduleId: string, place: IdPlace): Promise<PageRows<Fire>> {
    const query = this.fires.createQueryBuilder('f').where('f.scheduleId = :scheduleId', { scheduleId });
    return pageById(query, place, { countRows: () => sumCounts(query, { listId: scheduleId }) });
  }

  insertion(fire: Fire): Statement {
    return insertStatement(this.fires, fire);
  }

  deletionOf(scheduleId: string): Statement {
    return deleteStatement(this.fires, { scheduleId });
  }

  /**
   * Deletes the fires that were recorded before the given time.
   *
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return deleteStatement(this.fires, ['fired_at < :before', { before }]);
  }
}
