import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/**
 * A message to an execution, such as a signal, that the execution has not consumed yet. The class only
 * defines the schema of the table; queries use SQL.
 */
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

  /** Name of the signal; null for other kinds of messages. */
  @Column({ type: 'varchar', nullable: true })
  name: string | null;

  /** JSON text: the payload of a signal, the result of a child execution, or the reason of a pause. */
  @Column({ type: 'text' })
  payload: string;

  /**
   * Key of the only node that may receive the signal: the node id, and inside a loop also the loop and the
   * item. Null if any node that waits for the signal may receive the signal.
   */
  @Column({ name: 'node_id', type: 'varchar', nullable: true })
  nodeId: string | null;

  @Column({ type: 'integer', nullable: true })
  attempt: number | null;

  /** W3C header `traceparent` of the caller that sent the signal; null if the caller sent no header. */
  @Column({ type: 'varchar', nullable: true })
  traceparent: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  /** Time at which the execution first read the message; null for an unread message, which must wake the execution. */
  @TimeColumn({ name: 'seen_at', nullable: true })
  seenAt: string | null;
}
