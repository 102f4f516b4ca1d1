import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** A batch of events as a row. Only the repository of the journal accesses this table, with SQL. */
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

/** A value that is too long to be stored in its event. */
@Entity('payloads')
export class PayloadEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  @PrimaryColumn({ type: 'integer' })
  sequence: number;

  @PrimaryColumn({ type: 'varchar' })
  field: string;

  /** JSON text; empty if `pieces` is set. */
  @Column({ type: 'text' })
  body: string;

  /**
   * JSON list of pieces that form the value when joined. A piece is a text, or the sequence of an event of this
   * execution whose output is inserted.
   */
  @Column({ type: 'text', nullable: true })
  pieces: string | null;
}

/** The highest position that retention deleted from the journal. One row, created by the first deletion. */
@Entity('journal_floor')
export class JournalFloorEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'journal_floor_pkey' })
  id: number;

  /** The highest position that was deleted. */
  @PositionColumn()
  position: number;
}

/** The folded state of a long execution: a cache of its journal, at most one row per execution. */
@Entity('checkpoints')
export class CheckpointEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  /** Sequence of the last event included in the state. */
  @Column({ type: 'integer' })
  sequence: number;

  /** `stateCodec.format` of the process that wrote the checkpoint. */
  @Column({ type: 'varchar' })
  format: string;

  /** Bytes of journal and payloads up to the last included event. */
  @PositionColumn({ name: 'stored_bytes' })
  storedBytes: number;

  /** Number of consecutive crash recoveries without progress. */
  @Column({ type: 'integer' })
  recoveries: number;

  /** CRC-32 of the body, in hexadecimal. */
  @Column({ type: 'varchar' })
  checksum: string;

  /** The state as encoded by `stateCodec`. */
  @Column({ type: 'text' })
  body: string;
}
