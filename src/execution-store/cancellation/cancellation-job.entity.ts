import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/index.js';

/** A cancellation of many executions that a process carries out in the background; deleted when it is done. */
@Entity('cancellation_jobs')
export class CancellationJobEntity {
  /** That of the execution that has ended, for a tree. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'cancellation_jobs_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  kind: 'tree' | 'workflow' | 'session' | 'project';

  /** The root of the tree, or the workflow, session or project whose executions end. */
  @IdColumn({ name: 'subject_id' })
  subjectId: string;

  /** Null for a tree, whose executions end because their parent has. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** The process that carries it out; one that is no longer among the instances leaves it to the others. */
  @IdColumn({ nullable: true })
  owner: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
