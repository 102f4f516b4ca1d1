import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A message that no event has consumed yet. The entity only defines the schema. */
@Entity('execution_messages')
@Index('execution_messages_execution', ['executionId', 'id'])
@Index('execution_messages_unseen', ['executionId'], { where: 'seen_at IS NULL' })
@Index('execution_messages_decision', ['executionId', 'nodeId', 'attempt'], {
  unique: true,
  where: 'node_id IS NOT NULL',
})
export class MessageEntity {
  /** UUID v7. Messages are consumed in the order of their ids. */
  @IdColumn({ primary: true, primaryKeyConstraintName: 'execution_messages_pkey' })
  id: string;

  @IdColumn({ name: 'execution_id' })
  executionId: string;

  @Column({ type: 'varchar' })
  kind: 'signal' | 'child' | 'pause' | 'resume';

  /** Name of the signal. Null for other messages. */
  @Column({ type: 'varchar', nullable: true })
  name: string | null;

  /** JSON text of a signal's payload, a child's result, or the reason of a pause. */
  @Column({ type: 'text' })
  payload: string;

  /** The node whose wait gets the signal. Null if any wait for the signal may get it. */
  @Column({ name: 'node_id', type: 'varchar', nullable: true })
  nodeId: string | null;

  @Column({ type: 'integer', nullable: true })
  attempt: number | null;

  /** Id of the signal's sender. */
  @Column({ type: 'varchar', nullable: true })
  traceparent: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  /** Time of the first read. Null for an unread message, which must wake the execution. */
  @TimeColumn({ name: 'seen_at', nullable: true })
  seenAt: string | null;
}
