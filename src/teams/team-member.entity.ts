import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Role } from '../access/index.js';
import { IdColumn, TimeColumn } from '../database/index.js';
import { UserEntity } from '../users/index.js';
import { TeamEntity } from './team.entity.js';

@Entity('team_members')
@Index('team_members_user', ['userId'])
export class TeamMemberEntity {
  @IdColumn({ name: 'team_id', primary: true, primaryKeyConstraintName: 'team_members_pkey' })
  @ForeignKey(() => TeamEntity, { name: 'team_members_team_fkey', onDelete: 'CASCADE' })
  teamId: string;

  @IdColumn({ name: 'user_id', primary: true, primaryKeyConstraintName: 'team_members_pkey' })
  @ForeignKey(() => UserEntity, { name: 'team_members_user_fkey', onDelete: 'CASCADE' })
  userId: string;

  @Column({ type: 'varchar' })
  role: Role;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
