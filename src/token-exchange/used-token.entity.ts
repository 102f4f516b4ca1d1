import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** An identity provider's token that was exchanged already; its id counts once. */
@Entity('used_tokens')
@Index('used_tokens_expires', ['expiresAt'])
export class UsedTokenEntity {
  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  issuer: string;

  /** SHA-256 of the `jti` claim, in hex: a claim has no longest length. */
  @PrimaryColumn({ name: 'jti_hash', type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  jtiHash: string;

  /** When the token could not be used again anyway. */
  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;
}
