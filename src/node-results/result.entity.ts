import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A cached output of a node, or the claim of the process that computes the output. */
@Entity('results')
@Index('results_expires', ['expiresAt'])
@Index('results_project', ['projectId'])
export class ResultEntity {
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'results_pkey' })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  /** JSON text of the output; null until the first computation has ended. */
  @Column({ type: 'text', nullable: true })
  output: string | null;

  @TimeColumn({ name: 'computed_at', nullable: true })
  computedAt: string | null;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  /**
   * Id of the process that computes the output. The claim is void if the process is missing from the table `instances`.
   */
  @IdColumn({ nullable: true })
  holder: string | null;
}
