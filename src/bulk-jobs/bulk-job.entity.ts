import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { BulkJob, BulkJobFailure, BulkJobStatus } from './bulk-job.js';

/** A bulk job. Retention deletes it `RETENTION_DAYS` after its end, like an execution. */
@Entity('bulk_jobs')
@Index('bulk_jobs_team', ['teamId', 'id'])
@Index('bulk_jobs_running', ['owner'], { where: `status = 'running'` })
export class BulkJobEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'team_id' })
  teamId: string;

  @IdColumn({ name: 'project_id', nullable: true })
  projectId: string | null;

  @IdColumn({ name: 'user_id' })
  userId: string;

  @IdColumn({ name: 'key_id', nullable: true })
  keyId: string | null;

  @Column({ type: 'varchar' })
  action: BulkJob['action'];

  @JsonColumn()
  filter: object;

  @Column({ type: 'varchar', nullable: true })
  reason: string | null;

  @Column({ type: 'varchar' })
  version: BulkJob['version'];

  @Column({ type: 'varchar' })
  status: BulkJobStatus;

  @Column({ name: 'status_reason', type: 'varchar', nullable: true })
  statusReason: string | null;

  @Column({ type: 'integer' })
  total: number;

  @Column({ type: 'integer' })
  processed: number;

  @Column({ type: 'integer' })
  succeeded: number;

  @Column({ type: 'integer' })
  failed: number;

  @JsonColumn()
  failures: readonly BulkJobFailure[];

  @JsonColumn()
  page: readonly string[];

  @IdColumn({ name: 'after_id', nullable: true })
  afterId: string | null;

  @IdColumn({ nullable: true })
  owner: string | null;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  @TimeColumn({ name: 'finished_at', nullable: true })
  finishedAt: string | null;
}
