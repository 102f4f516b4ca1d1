import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import type { Fire, Overlap, ScheduleStatus } from './schedule.js';

@Entity('schedules')
@Index('schedules_project', ['projectId', 'id'])
@Index('schedules_workflow', ['workflowId', 'id'])
@Index('schedules_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class ScheduleEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @IdColumn({ name: 'workflow_id' })
  workflowId: string;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'varchar', nullable: true })
  cron: string | null;

  @Column({ name: 'every_seconds', type: 'integer', nullable: true })
  everySeconds: number | null;

  @TimeColumn({ nullable: true })
  at: string | null;

  @Column({ name: 'time_zone', type: 'varchar' })
  timeZone: string;

  @JsonColumn({ nullable: true })
  input: Json;

  @JsonColumn()
  metadata: JsonObject;

  @Column({ type: 'integer' })
  priority: number;

  @Column({ type: 'varchar' })
  overlap: Overlap;

  @Column({ name: 'catch_up_seconds', type: 'integer' })
  catchUpSeconds: number;

  @Column({ name: 'jitter_seconds', type: 'integer' })
  jitterSeconds: number;

  @TimeColumn({ name: 'starts_at', nullable: true })
  startsAt: string | null;

  @TimeColumn({ name: 'ends_at', nullable: true })
  endsAt: string | null;

  @Column({ type: 'varchar' })
  status: ScheduleStatus;

  @TimeColumn({ name: 'next_at', nullable: true })
  nextAt: string | null;

  @TimeColumn({ name: 'due_at', nullable: true })
  dueAt: string | null;

  @TimeColumn({ name: 'waited_until', nullable: true })
  waitedUntil: string | null;

  @JsonColumn({ name: 'last_fire', nullable: true })
  lastFire: Fire | null;

  @Column({ name: 'fired_total', type: 'integer' })
  firedTotal: number;

  @Column({ name: 'skipped_total', type: 'integer' })
  skippedTotal: number;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
