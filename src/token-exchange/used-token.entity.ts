import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** An exchanged token of an identity provider, which cannot be exchanged again. */
@Entity('used_tokens')
@Index('used_tokens_expires', ['expiresAt'])
export class UsedTokenEntity {
  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  issuer: string;

  /** SHA-256 of the `jti` claim in hex, because the claim has no maximum length. */
  @PrimaryColumn({ name: 'jti_hash', type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  jtiHash: string;

  /** Expiry of the token, after which this row is not needed. */
  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;
}
