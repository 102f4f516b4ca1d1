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

  /** JSON text of the output; null until the first computation ends. */
  @Column({ type: 'text', nullable: true })
  output: string | null;

  @TimeColumn({ name: 'computed_at', nullable: true })
  computedAt: string | null;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  /** Id of the process that computes the result. A process missing from `instances` holds no claim. */
  @IdColumn({ nullable: true })
  holder: string | null;
}
