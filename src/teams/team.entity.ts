import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

@Entity('teams')
export class TeamEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  name: string;

  /** Name of the rate-limit plan. Null for the current `DEFAULT_PLAN`. */
  @Column({ type: 'varchar', nullable: true })
  plan: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  /** Time of deletion. Other data may still refer to the id of a deleted team. */
  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
