import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A message that no event has consumed yet. Code accesses it by SQL; the entity only defines the schema. */
@Entity('execution_messages')
@Index('execution_messages_execution', ['executionId', 'id'])
@Index('execution_messages_unseen', ['executionId'], { where: 'seen_at IS NULL' })
@Index('execution_messages_decision', ['executionId', 'nodeId', 'attempt'], {
  unique: true,
  where: 'node_id IS NOT NULL',
})
export class MessageEntity {
  /** UUID v7: an execution consumes its messages in the order of their ids. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'execution_messages_pkey' })
  id: string;

  @IdColumn({ name: 'execution_id' })
  executionId: string;

  @Column({ type: 'varchar' })
  kind: 'signal' | 'child' | 'pause' | 'resume';

  /** Name of a signal. */
  @Column({ type: 'varchar', nullable: true })
  name: string | null;

  /** JSON text: a signal's payload, a child's result, or the reason of a pause. */
  @Column({ type: 'text' })
  payload: string;

  /**
   * The node whose wait the signal is for; null if the signal is not for a certain wait. Each wait accepts one signal.
   */
  @Column({ name: 'node_id', type: 'varchar', nullable: true })
  nodeId: string | null;

  @Column({ type: 'integer', nullable: true })
  attempt: number | null;

  /** Id of the caller that sent the signal. */
  @Column({ type: 'varchar', nullable: true })
  traceparent: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  /** Time at which the execution read the message; null before. A message that is not read yet must wake the execution. */
  @TimeColumn({ name: 'seen_at', nullable: true })
  seenAt: string | null;
}
