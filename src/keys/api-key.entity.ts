import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ScopeGrant } from '../access/index.js';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import { ProjectEntity } from '../projects/index.js';
import { TeamEntity } from '../teams/index.js';
import { UserEntity } from '../users/index.js';
import type { KeyEnvironment, KeyOrigin } from './api-key.js';

/** An API key. Only a hash of its secret is stored. */
@Entity('api_keys')
@Index('api_keys_hash', ['hash'], { unique: true })
@Index('api_keys_team', ['teamId', 'createdAt', 'id'], { where: 'deleted_at IS NULL' })
@Index('api_keys_user', ['userId'])
@Index('api_keys_issuer', ['issuer'], { where: 'issuer IS NOT NULL AND deleted_at IS NULL' })
export class ApiKeyEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @Column({ type: 'varchar' })
  origin: KeyOrigin;

  @Column({ type: 'varchar' })
  name: string;

  /** First characters of the secret, which identify the key in lists. */
  @Column({ type: 'varchar' })
  prefix: string;

  @Column({ name: 'last_four', type: 'varchar' })
  lastFour: string;

  @Column({ type: 'varchar' })
  hash: string;

  @Column({ type: 'varchar' })
  environment: KeyEnvironment;

  @JsonColumn()
  scopes: readonly ScopeGrant[];

  @IdColumn({ name: 'team_id' })
  @ForeignKey(() => TeamEntity, { name: 'api_keys_team_fkey', onDelete: 'CASCADE' })
  teamId: string;

  @IdColumn({ name: 'project_id', nullable: true })
  @ForeignKey(() => ProjectEntity, { name: 'api_keys_project_fkey', onDelete: 'CASCADE' })
  projectId: string | null;

  @IdColumn({ name: 'user_id' })
  @ForeignKey(() => UserEntity, { name: 'api_keys_user_fkey', onDelete: 'CASCADE' })
  userId: string;

  @JsonColumn({ name: 'allowed_ips', nullable: true })
  allowedIps: readonly string[] | null;

  /**
   * Name of a rate-limit plan that restricts the key further than the plan of the team; null for the plan of the team.
   */
  @Column({ type: 'varchar', nullable: true })
  plan: string | null;

  @TimeColumn({ name: 'expires_at', nullable: true })
  expiresAt: string | null;

  @TimeColumn({ name: 'last_used_at', nullable: true })
  lastUsedAt: string | null;

  @Column({ name: 'last_used_ip', type: 'varchar', nullable: true })
  lastUsedIp: string | null;

  /** Issuer of the JWT that was exchanged for this key, or for the key that created this key; null for other keys. */
  @Column({ type: 'varchar', nullable: true })
  issuer: string | null;

  /** Id of the key that replaced this key by rotation; null before a rotation. */
  @IdColumn({ name: 'replaced_by', nullable: true })
  replacedBy: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
