import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** A link that creates the first admin. The link works only once and expires after 30 minutes. */
@Entity('set_up_links')
export class SetUpLinkEntity {
  /** SHA-256 hash of the token in the link, in hex. */
  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'set_up_links_pkey' })
  hash: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'expires_at' })
  expiresAt: string;

  @TimeColumn({ name: 'used_at', nullable: true })
  usedAt: string | null;
}
