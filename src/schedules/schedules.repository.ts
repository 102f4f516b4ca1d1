import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, withText } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import type { Fire, Schedule, ScheduleStatus } from './schedule.js';
import { ScheduleEntity } from './schedule.entity.js';
import { InstantTakenError, ScheduleChangedError } from './schedules.errors.js';

export interface ScheduleFilter {
  readonly projectIds: readonly string[];
  readonly workflowId?: string;
  readonly status?: ScheduleStatus;
  /** Search text: part of the schedule's name, start of its id, or start of the last eight characters of its id. */
  readonly q?: string;
}

export type ScheduleState = Pick<Schedule, 'status' | 'nextAt' | 'dueAt' | 'waitedUntil'>;

export interface Counted {
  readonly fired?: number;
  readonly skipped?: number;
}

@Injectable()
export class SchedulesRepository {
  constructor(@InjectRepository(ScheduleEntity) private readonly schedules: Repository<ScheduleEntity>) {}

  async find(id: string): Promise<Schedule | undefined> {
    return (await this.schedules.createQueryBuilder('s').where('s.id = :id', { id }).getOne()) ?? undefined;
  }

  async list(
    { projectIds, workflowId, status, q }: ScheduleFilter,
    place: IdPlace,
  ): Promise<PageRows<Schedule>> {
    if (projectIds.length === 0) return { items: [], total: 0 };
    const query = this.schedules
      .createQueryBuilder('s')
      .where('s.projectId IN (:...projectIds)', { projectIds });
    if (workflowId !== undefined) query.andWhere('s.workflowId = :workflowId', { workflowId });
    if (status !== undefined) query.andWhere('s.status = :status', { status });
    return pageById(withText(query, q, ['name']), place);
  }

  /**
   * Returns the schedules that are due, longest overdue first.
   *
   * @param now ISO 8601
   */
  due(now: string, limit: number): Promise<readonly Schedule[]> {
    return this.schedules
      .createQueryBuilder('s')
      .where('s.dueAt IS NOT NULL AND s.dueAt <= :now', { now })
      .orderBy('s.dueAt', 'ASC')
      .limit(limit)
      .getMany();
  }

  /** Returns the earliest due time of all active schedules in ISO 8601; undefined if no schedule is active. */
  async nextDue(): Promise<string | undefined> {
    const next = await this.schedules
      .createQueryBuilder('s')
      .where('s.dueAt IS NOT NULL')
      .orderBy('s.dueAt', 'ASC')
      .limit(1)
      .getOne();
    return next?.dueAt ?? undefined;
  }

  insertion(schedule: Schedule): Statement {
    return insertStatement(this.schedules, schedule);
  }

  change(id: string, revision: number, changes: Partial<Schedule>): Statement {
    return updateStatement(
      this.schedules,
      { ...changes, revision: revision + 1 },
      { id, revision },
      { orFail: () => new ScheduleChangedError() },
    );
  }

  /**
   * Moves an active schedule from one scheduled time to its next state. If several processes try, only one commit
   * succeeds.
   *
   * @param fire outcome of the scheduled time; null while the schedule waits for an earlier execution
   */
  advance({ id, nextAt }: Schedule, state: ScheduleState, fire: Fire | null, counted: Counted): Statement {
    return updateStatement(
      this.schedules,
      { ...state, ...(fire === null ? {} : { lastFire: fire }), ...totals(counted) },
      [`id = :id AND status = 'active' AND next_at = :nextAt`, { id, nextAt }],
      { orFail: () => new InstantTakenError() },
    );
  }

  /**
   * Adds the outcome of a start by a backfill or a client to the totals of a schedule. The next scheduled time stays
   * the same.
   */
  count(id: string, fire: Fire, counted: Counted): Statement {
    return updateStatement(this.schedules, { lastFire: fire, ...totals(counted) }, { id });
  }

  deletion(id: string, revision: number): Statement {
    return deleteStatement(this.schedules, { id, revision }, { orFail: () => new ScheduleChangedError() });
  }
}

function totals({ fired = 0, skipped = 0 }: Counted): object {
  return {
    ...(fired === 0 ? {} : { firedTotal: () => `fired_total + ${fired}` }),
    ...(skipped === 0 ? {} : { skippedTotal: () => `skipped_total + ${skipped}` }),
  };
}
