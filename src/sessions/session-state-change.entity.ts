import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../expressions/index.js';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';

/**
 * A change that a node made to a session's state. A repeated attempt of the node finds the result of the change here.
 */
@Entity('session_state_changes')
@Index('session_state_changes_age', ['createdAt'])
export class SessionStateChangeEntity {
  /** The node's idempotency key. */
  @PrimaryColumn({ type: 'varchar' })
  id: string;

  @IdColumn({ name: 'session_id' })
  sessionId: string;

  /** The whole state after the change. */
  @JsonColumn()
  state: JsonObject;

  @Column({ name: 'state_version', type: 'integer' })
  stateVersion: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
