import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

@Entity('teams')
export class TeamEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  name: string;

  /** Name of the team's rate-limit plan. Null means the plan in the setting `DEFAULT_PLAN`. */
  @Column({ type: 'varchar', nullable: true })
  plan: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  /**
   * Time at which the team was deleted. The row of a deleted team remains, because other data may still refer to the
   * team's id.
   */
  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
