import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';
import { TeamEntity } from '../teams/index.js';

@Entity('projects')
@Index('projects_team', ['teamId', 'createdAt', 'id'])
export class ProjectEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'projects_pkey' })
  id: string;

  @IdColumn({ name: 'team_id' })
  @ForeignKey(() => TeamEntity, { name: 'projects_team_fkey', onDelete: 'RESTRICT' })
  teamId: string;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'varchar', nullable: true })
  description: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  /** Time of deletion; null if the project exists. The row is kept, because audit entries refer to the project. */
  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
