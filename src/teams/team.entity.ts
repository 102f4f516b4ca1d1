import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** People who work together and share a rate limit. */
@Entity('teams')
export class TeamEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  name: string;

  /** Name of the rate-limit plan; null if the current `DEFAULT_PLAN` applies. */
  @Column({ type: 'varchar', nullable: true })
  plan: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  /** Time of deletion. A deleted team gives no access. Its data still refers to the team's id. */
  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
