import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Role } from '../access/index.js';
import { IdColumn, TimeColumn } from '../database/index.js';
import { UserEntity } from '../users/index.js';
import { TeamEntity } from './team.entity.js';

/** An invitation of an email address to a team. A single-use link accepts the invitation. */
@Entity('invitations')
@Index('invitations_hash', ['hash'], { unique: true })
@Index('invitations_team', ['teamId', 'createdAt'])
export class InvitationEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'invitations_pkey' })
  id: string;

  @IdColumn({ name: 'team_id' })
  @ForeignKey(() => TeamEntity, { name: 'invitations_team_fkey', onDelete: 'CASCADE' })
  teamId: string;

  @Column({ type: 'varchar' })
  email: string;

  @Column({ type: 'varchar' })
  role: Role;

  /** SHA-256 hash of the token in the invitation's link, in hexadecimal. */
  @Column({ type: 'varchar' })
  hash: string;

  @IdColumn({ name: 'invited_by' })
  @ForeignKey(() => UserEntity, { name: 'invitations_user_fkey', onDelete: 'CASCADE' })
  invitedBy: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  @TimeColumn({ name: 'accepted_at', nullable: true })
  acceptedAt: string | null;
}
