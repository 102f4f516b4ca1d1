import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/index.js';

/** A cancellation of many executions that a process carries out in the background. Deleted when it is done. */
@Entity('cancellation_jobs')
export class CancellationJobEntity {
  /** For a tree: the id of the ended execution. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'cancellation_jobs_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  kind: 'tree' | 'workflow' | 'session' | 'project';

  /** The root of the tree, or the workflow, session or project whose executions are cancelled. */
  @IdColumn({ name: 'subject_id' })
  subjectId: string;

  /** Null for a tree: its executions are cancelled because their parent has ended. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** The process that carries it out. If that process is dead, another one adopts the job. */
  @IdColumn({ nullable: true })
  owner: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
