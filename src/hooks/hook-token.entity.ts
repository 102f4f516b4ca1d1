import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A token of a hook by its SHA-256. Several are valid during the overlap of a rotation. */
@Entity('hook_tokens')
@Index('hook_tokens_hook', ['hookId'])
export class HookTokenEntity {
  @Column({ type: 'varchar', primary: true })
  hash: string;

  @IdColumn({ name: 'hook_id' })
  hookId: string;

  /** Null for the latest token. */
  @TimeColumn({ name: 'expires_at', nullable: true })
  expiresAt: string | null;
}
