import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** A batch of events, as a row. Only the journal's repository touches it, by SQL. */
@Entity('journal')
@Index('journal_execution', ['executionId', 'firstSequence'], { unique: true })
@Index('journal_project', ['projectId', 'position'])
@Index('journal_session', ['sessionId', 'position'], { where: 'session_id IS NOT NULL' })
export class JournalEntity {
  @GeneratedPositionColumn()
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

/** A value too long for its event. */
@Entity('payloads')
export class PayloadEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  @PrimaryColumn({ type: 'integer' })
  sequence: number;

  @PrimaryColumn({ type: 'varchar' })
  field: string;

  /** JSON text; empty where it is made of pieces. */
  @Column({ type: 'text' })
  body: string;

  /** JSON list of what its text is made of: texts, and sequences of events of the execution whose outputs stand there. */
  @Column({ type: 'text', nullable: true })
  pieces: string | null;
}

/** How far back the journal is whole: one row, once something was removed. */
@Entity('journal_floor')
export class JournalFloorEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'journal_floor_pkey' })
  id: number;

  /** The last position of which something was removed. */
  @PositionColumn()
  position: number;
}

/** The folded state of a long execution: a cache of its journal, at most one row an execution. */
@Entity('checkpoints')
export class CheckpointEntity {
  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  /** The last event that is folded in. */
  @Column({ type: 'integer' })
  sequence: number;

  /** `stateCodec.format` of the process that wrote it. */
  @Column({ type: 'varchar' })
  format: string;

  /** Bytes of the journal and the payloads up to that event. */
  @PositionColumn({ name: 'stored_bytes' })
  storedBytes: number;

  /** Crashes since the execution last made progress. */
  @Column({ type: 'integer' })
  recoveries: number;

  /** CRC-32 of the body, in hexadecimal. */
  @Column({ type: 'varchar' })
  checksum: string;

  /** Text of the state, as `stateCodec` writes it. */
  @Column({ type: 'text' })
  body: string;
}
