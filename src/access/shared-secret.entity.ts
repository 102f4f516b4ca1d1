import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One row with a secret that all processes on the database share. If `SECRETS_KEY` is not set, this secret signs links.
 * Links then stay valid after a restart.
 */
@Entity('link_secret')
export class SharedSecretEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'link_secret_pkey' })
  id: number;

  /** 32 random bytes in base64. */
  @Column({ type: 'varchar' })
  secret: string;
}
