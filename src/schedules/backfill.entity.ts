import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { Backfill } from './backfill.js';
import type { Overlap } from './schedule.js';

/** A backfill until its last instant; then the row is deleted. */
@Entity('schedule_backfills')
@Index('schedule_backfills_due', ['dueAt'])
@Index('schedule_backfills_schedule', ['scheduleId'])
export class BackfillEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'schedule_id' })
  scheduleId: string;

  @JsonColumn()
  timing: Backfill['timing'];

  @Column({ type: 'varchar' })
  overlap: Overlap;

  @TimeColumn({ name: 'next_at' })
  nextAt: string;

  @TimeColumn()
  until: string;

  @TimeColumn({ name: 'due_at' })
  dueAt: string;
}
