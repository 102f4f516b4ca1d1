import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** A batch of events. Only the journal's repository accesses this table. */
@Entity('journal')
@Index('journal_execution', ['executionId', 'firstSequence'], { unique: true })
@Index('journal_project', ['projectId', 'position'])
@Index('journal_session', ['sessionId', 'position'], { where: 'session_id IS NOT NULL' })
export class JournalEntity {
  @GeneratedPositionColumn('journal_position()')
  position: number;

  @IdColumn()
  id: string;

  @IdColumn({ name: 'execution_id' })
  executionId: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @IdColumn({ name: 'workflow_id' })
  workflowId: string;

  @IdColumn({ name: 'session_id', nullable: true })
  sessionId: string | null;

  @Column({ name: 'first_sequence', type: 'integer' })
  firstSequence: number;

  @Column({ name: 'last_sequence', type: 'integer' })
  lastSequence: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @Column({ type: 'text' })
  body: string;
}

/** A value that is too long for its event. */
@Entity('payloads')
export class PayloadEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  @PrimaryColumn({ type: 'integer' })
  sequence: number;

  @PrimaryColumn({ type: 'varchar' })
  field: string;

  /** JSON text. Empty if `pieces` is set. */
  @Column({ type: 'text' })
  body: string;

  /** JSON list of pieces. A piece is a text, or the sequence of an event whose output is inserted. */
  @Column({ type: 'text', nullable: true })
  pieces: string | null;
}

/** The highest deleted position of the journal. One row, created by the first deletion. */
@Entity('journal_floor')
export class JournalFloorEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'journal_floor_pkey' })
  id: number;

  @PositionColumn()
  position: number;
}

@Entity('checkpoints')
export class CheckpointEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  @Column({ type: 'integer' })
  sequence: number;

  @Column({ type: 'varchar' })
  format: string;

  /** Bytes of journal and payloads up to the last event that the checkpoint includes. */
  @PositionColumn({ name: 'stored_bytes' })
  storedBytes: number;

  @Column({ type: 'integer' })
  recoveries: number;

  /** CRC-32 of the body, in hexadecimal. */
  @Column({ type: 'varchar' })
  checksum: string;

  @Column({ type: 'text' })
  body: string;
}
