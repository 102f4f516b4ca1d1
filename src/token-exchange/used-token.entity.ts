import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** An identity provider's token that was exchanged; its id counts once. */
@Entity('used_tokens')
@Index('used_tokens_expires', ['expiresAt'])
export class UsedTokenEntity {
  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  issuer: string;

  /** SHA-256 of the `jti` claim, in hex: the claim has no maximum length. */
  @PrimaryColumn({ name: 'jti_hash', type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  jtiHash: string;

  /** When the token would have expired anyway. */
  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;
}
