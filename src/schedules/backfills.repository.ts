import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import { BackfillEntity } from './backfill.entity.js';
import type { Backfill } from './backfill.js';
import { InstantTakenError } from './schedules.errors.js';

@Injectable()
export class BackfillsRepository {
  constructor(@InjectRepository(BackfillEntity) private readonly backfills: Repository<BackfillEntity>) {}

  async find(scheduleId: string, id: string): Promise<Backfill | undefined> {
    const found = await this.backfills
      .createQueryBuilder('b')
      .where('b.id = :id AND b.scheduleId = :scheduleId', { id, scheduleId })
      .getOne();
    return found ?? undefined;
  }

  async list(scheduleId: string, place: IdPlace): Promise<PageRows<Backfill>> {
    const query = this.backfills.createQueryBuilder('b').where('b.scheduleId = :scheduleId', { scheduleId });
    return pageById(query, place);
  }

  /**
   * Returns the backfills whose next start is due.
   *
   * @param now ISO 8601
   */
  due(now: string, limit: number): Promise<readonly Backfill[]> {
    return this.backfills
      .createQueryBuilder('b')
      .where('b.dueAt IS NOT NULL AND b.dueAt <= :now', { now })
      .orderBy('b.dueAt', 'ASC')
      .limit(limit)
      .getMany();
  }

  async nextDue(): Promise<string | undefined> {
    const next = await this.backfills
      .createQueryBuilder('b')
      .where('b.dueAt IS NOT NULL')
      .orderBy('b.dueAt', 'ASC')
      .limit(1)
      .getOne();
    return next?.dueAt ?? undefined;
  }

  insertion(backfill: Backfill): Statement {
    return insertStatement(this.backfills, backfill);
  }

  /**
   * Postpones the next start of a backfill. The commit fails if another process has already handled this start.
   *
   * @param dueAt ISO 8601
   */
  postponement({ id, nextAt }: Backfill, dueAt: string): Statement {
    return this.change(id, nextAt, { dueAt });
  }

  /**
   * Moves a backfill to its next scheduled time. The commit fails if another process has already handled the current
   * scheduled time.
   *
   * @param next the next scheduled time; null after the last one
   * @param now ISO 8601
   */
  advance({ id, nextAt, done }: Backfill, next: string | null, now: string): Statement {
    const step = next === null ? { dueAt: null, finishedAt: now } : { nextAt: next, dueAt: now };
    return this.change(id, nextAt, { ...step, done: done + 1 });
  }

  deletionOf(scheduleId: string): Statement {
    return deleteStatement(this.backfills, { scheduleId });
  }

  /**
   * Deletes backfills that finished before the given time.
   *
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return deleteStatement(this.backfills, ['finished_at < :before', { before }]);
  }

  private change(id: string, nextAt: string, set: Partial<Backfill>): Statement {
    return updateStatement(
      this.backfills,
      set,
      { id, nextAt, finishedAt: null },
      { orFail: () => new InstantTakenError() },
    );
  }
}
