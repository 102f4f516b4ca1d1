import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A cached node output, or the claim of a process that is computing it. */
@Entity('results')
@Index('results_expires', ['expiresAt'])
@Index('results_project', ['projectId'])
export class ResultEntity {
  /** Key from `resultKey`. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'results_pkey' })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  /** JSON text; null while it is computed for the first time. */
  @Column({ type: 'text', nullable: true })
  output: string | null;

  @TimeColumn({ name: 'computed_at', nullable: true })
  computedAt: string | null;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  /** The process that is computing it. A process missing from `instances` holds no claim. */
  @IdColumn({ nullable: true })
  holder: string | null;
}
