import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** A batch of events. Only the repository of the journal accesses this table. */
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

/** A long value that is too long for its event: an input, an output, or the data that resumed an attempt. */
@Entity('payloads')
export class PayloadEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  @PrimaryColumn({ type: 'integer' })
  sequence: number;

  @PrimaryColumn({ type: 'varchar' })
  field: string;

  /** JSON text of the long value. Empty if `pieces` is set. */
  @Column({ type: 'text' })
  body: string;

  /**
   * JSON list of the pieces of the long value, in order. A piece is a text, or the sequence of an event whose output is
   * inserted.
   */
  @Column({ type: 'text', nullable: true })
  pieces: string | null;
}

/** The highest deleted position of the journal. The table has at most one row, which the first deletion creates. */
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

  /** Bytes of events and long values that the execution had stored up to the checkpoint. */
  @PositionColumn({ name: 'stored_bytes' })
  storedBytes: number;

  @Column({ type: 'integer' })
  recoveries: number;

  /** CRC-32 of the checkpoint's body, in hexadecimal. */
  @Column({ type: 'varchar' })
  checksum: string;

  @Column({ type: 'text' })
  body: string;
}
