import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One row: a secret shared by all processes on the database. It signs links if `SECRETS_KEY` is not set, so that they
 * stay valid after a restart.
 */
@Entity('link_secret')
export class SharedSecretEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'link_secret_pkey' })
  id: number;

  /** 32 random bytes in base64. */
  @Column({ type: 'varchar' })
  secret: string;
}
