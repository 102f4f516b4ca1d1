import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** Record of a JWT that was exchanged and must not be exchanged again. */
@Entity('used_tokens')
@Index('used_tokens_expires', ['expiresAt'])
export class UsedTokenEntity {
  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  issuer: string;

  /** SHA-256 of the JWT's `jti` claim, in hexadecimal. Unlike the claim, the hash has a fixed length. */
  @PrimaryColumn({ name: 'jti_hash', type: 'varchar', primaryKeyConstraintName: 'used_tokens_pkey' })
  jtiHash: string;

  /** Time from which the service refuses the JWT as expired, so that this record can be deleted. */
  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;
}
