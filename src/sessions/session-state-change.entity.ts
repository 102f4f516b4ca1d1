import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../expressions/index.js';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';

/**
 * Recorded result of a state change that a node made in a session. A repeated attempt of the node gets this result
 * instead of changing the state again.
 */
@Entity('session_state_changes')
@Index('session_state_changes_age', ['createdAt'])
export class SessionStateChangeEntity {
  @PrimaryColumn({ type: 'varchar' })
  id: string;

  @IdColumn({ name: 'session_id' })
  sessionId: string;

  @JsonColumn()
  state: JsonObject;

  @Column({ name: 'state_version', type: 'integer' })
  stateVersion: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
