import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { Preferences } from './user.js';

/** A person. People are disabled but never deleted, so that the audit log can name them. */
@Entity('users')
@Index('users_email', ['email'], { unique: true })
export class UserEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Email address in lower case. */
  @Column({ type: 'varchar' })
  email: string;

  @Column({ type: 'varchar' })
  name: string;

  /** An argon2id hash in PHC form. Null for people who sign in only by an identity provider. */
  @Column({ name: 'password_hash', type: 'varchar', nullable: true })
  passwordHash: string | null;

  /** Addresses and CIDR ranges that may use the person's API keys. Null for all. */
  @JsonColumn({ name: 'allowed_ips', nullable: true })
  allowedIps: readonly string[] | null;

  /** Null for the default preferences. */
  @JsonColumn({ nullable: true })
  preferences: Preferences | null;

  @TimeColumn({ name: 'disabled_at', nullable: true })
  disabledAt: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
