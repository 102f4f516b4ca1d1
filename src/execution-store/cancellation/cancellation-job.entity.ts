import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/index.js';

@Entity('cancellation_jobs')
export class CancellationJobEntity {
  /** For a tree, the id of the execution that ended. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'cancellation_jobs_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  kind: 'tree' | 'workflow' | 'session' | 'project';

  /** Id of the workflow, session or project. For a tree, the id of its root. */
  @IdColumn({ name: 'subject_id' })
  subjectId: string;

  /** Null for a tree, whose executions are cancelled because their parent has ended. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** Id of the process that carries out the job. */
  @IdColumn({ nullable: true })
  owner: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
