import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A cached node output, or the claim of the computing process. */
@Entity('results')
@Index('results_expires', ['expiresAt'])
@Index('results_project', ['projectId'])
export class ResultEntity {
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'results_pkey' })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  /** JSON text of the output. Null until the first computation ends. */
  @Column({ type: 'text', nullable: true })
  output: string | null;

  @TimeColumn({ name: 'computed_at', nullable: true })
  computedAt: string | null;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  /** Id of the computing process. A process that is missing from `instances` holds no claim. */
  @IdColumn({ nullable: true })
  holder: string | null;
}
