import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/index.js';

@Entity('cancellation_jobs')
export class CancellationJobEntity {
  /** Id of the job. The job of a tree has the id of the execution whose descendants must be cancelled. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'cancellation_jobs_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  kind: 'tree' | 'workflow' | 'session' | 'project';

  /**
   * Id of the workflow, session or project whose executions are cancelled. For a tree, the id of its root execution.
   */
  @IdColumn({ name: 'subject_id' })
  subjectId: string;

  /**
   * Reason with which the executions are cancelled. Null for a tree, because each descendant gets a reason that names
   * its ended parent.
   */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** Id of the process that executes the job. */
  @IdColumn({ nullable: true })
  owner: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
