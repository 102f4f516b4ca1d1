import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/index.js';

/** A job that cancels many executions in the background. Deleted when it is done. */
@Entity('cancellation_jobs')
export class CancellationJobEntity {
  /** Id of the job. For a tree, it is the id of the execution that ended. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'cancellation_jobs_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  kind: 'tree' | 'workflow' | 'session' | 'project';

  /** Id of the workflow, session or project whose executions are cancelled; for a tree, id of its root. */
  @IdColumn({ name: 'subject_id' })
  subjectId: string;

  /** Reason of the cancellations. Null for a tree, whose executions are cancelled because their parent has ended. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** Id of the process that carries out the job. If that process is dead, another one adopts the job. */
  @IdColumn({ nullable: true })
  owner: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
