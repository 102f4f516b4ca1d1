import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';
import type { FireOutcome } from './schedule.js';

@Entity('schedule_fires')
@Index('schedule_fires_schedule', ['scheduleId', 'id'])
@Index('schedule_fires_fired', ['firedAt'])
export class FireEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'schedule_id' })
  scheduleId: string;

  @TimeColumn({ name: 'scheduled_for' })
  scheduledFor: string;

  @TimeColumn({ name: 'fired_at' })
  firedAt: string;

  @Column({ type: 'varchar' })
  outcome: FireOutcome;

  @Column({ type: 'varchar', nullable: true })
  reason: string | null;

  @IdColumn({ name: 'execution_id', nullable: true })
  executionId: string | null;
}
