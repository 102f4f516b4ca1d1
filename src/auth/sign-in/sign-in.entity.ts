import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/index.js';
import { TeamEntity } from '../../teams/index.js';
import { UserEntity } from '../../users/index.js';

/** A sign-in to the dashboard. Sign-ins are not related to the sessions of the API, which group executions. */
@Entity('sign_ins')
@Index('sign_ins_hash', ['hash'], { unique: true })
@Index('sign_ins_user', ['userId'])
@Index('sign_ins_expires', ['expiresAt'])
export class SignInEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'sign_ins_pkey' })
  id: string;

  /** SHA-256 hash of the cookie's value, in hex. */
  @Column({ type: 'varchar' })
  hash: string;

  @IdColumn({ name: 'user_id' })
  @ForeignKey(() => UserEntity, { name: 'sign_ins_user_fkey', onDelete: 'CASCADE' })
  userId: string;

  @IdColumn({ name: 'team_id' })
  @ForeignKey(() => TeamEntity, { name: 'sign_ins_team_fkey', onDelete: 'CASCADE' })
  teamId: string;

  @Column({ type: 'varchar' })
  address: string;

  @Column({ name: 'user_agent', type: 'varchar' })
  userAgent: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'last_seen_at' })
  lastSeenAt: string;

  /** Time at which the sign-in ends, even if it is in use. */
  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;
}
