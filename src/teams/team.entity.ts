import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** People who work together and share a rate limit. */
@Entity('teams')
export class TeamEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  name: string;

  /** Rate-limit plan; null for the service's current default. */
  @Column({ type: 'varchar', nullable: true })
  plan: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  /** A deleted team gives no access; what it owned keeps its owner's name. */
  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
