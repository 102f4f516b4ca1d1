import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** What a node came to, kept for equal ones; or the claim of a process that works it out now. */
@Entity('results')
@Index('results_expires', ['expiresAt'])
@Index('results_project', ['projectId'])
export class ResultEntity {
  /** `resultKey`. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'results_pkey' })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  /** JSON text; null while it is worked out for the first time. */
  @Column({ type: 'text', nullable: true })
  output: string | null;

  @TimeColumn({ name: 'computed_at', nullable: true })
  computedAt: string | null;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  /** The process that works it out; one that is no longer among the instances holds nothing. */
  @IdColumn({ nullable: true })
  holder: string | null;
}
