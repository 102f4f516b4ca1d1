import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A token of a hook, stored as SHA-256. A rotation with overlap leaves several valid tokens. */
@Entity('hook_tokens')
@Index('hook_tokens_hook', ['hookId'])
export class HookTokenEntity {
  @Column({ type: 'varchar', primary: true })
  hash: string;

  @IdColumn({ name: 'hook_id' })
  hookId: string;

  /** Null for the newest token, which does not expire. */
  @TimeColumn({ name: 'expires_at', nullable: true })
  expiresAt: string | null;
}
