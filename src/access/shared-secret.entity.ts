import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One row: what all processes on the database know and nobody else. Links are signed with it where no `SECRETS_KEY` is
 * set, so that they hold after a restart.
 */
@Entity('link_secret')
export class SharedSecretEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'link_secret_pkey' })
  id: number;

  /** 32 random bytes in base64. */
  @Column({ type: 'varchar' })
  secret: string;
}
