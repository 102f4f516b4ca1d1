import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type Statement, statementOf } from '../storage/index.js';
import { BackfillEntity } from './backfill.entity.js';
import type { Backfill } from './backfill.js';
import { InstantTakenError } from './schedules.errors.js';

@Injectable()
export class BackfillsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Backfills whose next instant is due. @param now ISO 8601 */
  due(now: string, limit: number): Promise<readonly Backfill[]> {
    return this.dataSource
      .createQueryBuilder(BackfillEntity, 'b')
      .where('b.dueAt <= :now', { now })
      .orderBy('b.dueAt', 'ASC')
      .limit(limit)
      .getMany();
  }

  async nextDue(): Promise<string | undefined> {
    const next = await this.dataSource
      .createQueryBuilder(BackfillEntity, 'b')
      .orderBy('b.dueAt', 'ASC')
      .limit(1)
      .getOne();
    return next?.dueAt;
  }

  insertion(backfill: Backfill): Statement {
    const row: object = { ...backfill };
    return statementOf(this.dataSource.createQueryBuilder().insert().into(BackfillEntity).values(row));
  }

  /** Moves a backfill on from its instant, whoever is first. @param next null after its last instant */
  advance({ id, nextAt }: Backfill, next: string | null, dueAt: string): Statement {
    const where = ['id = :id AND next_at = :nextAt', { id, nextAt }] as const;
    const builder = this.dataSource.createQueryBuilder();
    return statementOf(
      next === null
        ? builder
            .delete()
            .from(BackfillEntity)
            .where(...where)
        : builder
            .update(BackfillEntity)
            .set({ nextAt: next, dueAt })
            .where(...where),
      { orFail: () => new InstantTakenError() },
    );
  }

  deletionOf(scheduleId: string): Statement {
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .delete()
        .from(BackfillEntity)
        .where('schedule_id = :scheduleId', { scheduleId }),
    );
  }
}
