import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from 'workflow-service/module';

/** A note in a project. */
@Entity('notes')
@Index('notes_project', ['projectId', 'id'])
@Index('notes_source', ['source'], { unique: true })
export class NoteEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @Column({ type: 'varchar' })
  text: string;

  /** Unique id of the cause, so that an attempt that runs again after a crash creates no second note. */
  @Column({ type: 'varchar' })
  source: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
