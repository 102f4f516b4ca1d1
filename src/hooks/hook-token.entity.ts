import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A token of a hook, stored as its SHA-256 hash. After a rotation with overlap, a hook has several valid tokens. */
@Entity('hook_tokens')
@Index('hook_tokens_hook', ['hookId'])
export class HookTokenEntity {
  @Column({ type: 'varchar', primary: true })
  hash: string;

  @IdColumn({ name: 'hook_id' })
  hookId: string;

  /** Time at which the token expires. Null for the newest token, which does not expire. */
  @TimeColumn({ name: 'expires_at', nullable: true })
  expiresAt: string | null;
}
