import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { Backfill } from './backfill.js';
import type { Overlap } from './schedule.js';

/** Database row of a backfill and its progress. A backfill starts executions for past scheduled times of a schedule. */
@Entity('schedule_backfills')
@Index('schedule_backfills_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('schedule_backfills_schedule', ['scheduleId', 'id'])
export class BackfillEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'schedule_id' })
  scheduleId: string;

  @JsonColumn()
  timing: Backfill['timing'];

  @Column({ type: 'varchar' })
  overlap: Overlap;

  @TimeColumn({ name: 'since_at' })
  since: string;

  @TimeColumn()
  until: string;

  @TimeColumn({ name: 'next_at' })
  nextAt: string;

  @TimeColumn({ name: 'due_at', nullable: true })
  dueAt: string | null;

  @Column({ type: 'integer' })
  instants: number;

  @Column({ type: 'integer' })
  done: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'finished_at', nullable: true })
  finishedAt: string | null;
}
