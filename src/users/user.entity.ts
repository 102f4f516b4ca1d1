import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { Preferences } from './user.js';

/** A person with an account. People are disabled but never deleted, so that the audit log can name them. */
@Entity('users')
@Index('users_email', ['email'], { unique: true })
export class UserEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Email address of the person, in lower case. */
  @Column({ type: 'varchar' })
  email: string;

  @Column({ type: 'varchar' })
  name: string;

  /** argon2id hash of the password, in PHC form. Null for people who sign in only by an identity provider. */
  @Column({ name: 'password_hash', type: 'varchar', nullable: true })
  passwordHash: string | null;

  /** IP addresses and CIDR ranges from which the person's API keys may be used. Null for no restriction. */
  @JsonColumn({ name: 'allowed_ips', nullable: true })
  allowedIps: readonly string[] | null;

  /** Settings of the dashboard for this person. Null for the default preferences. */
  @JsonColumn({ nullable: true })
  preferences: Preferences | null;

  @TimeColumn({ name: 'disabled_at', nullable: true })
  disabledAt: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
