import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A secret shared by all processes on the database. Without `SECRETS_KEY` the secret signs links,
 * so that links survive a restart.
 */
@Entity('link_secret')
export class SharedSecretEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'link_secret_pkey' })
  id: number;

  /** 32 random bytes in base64. */
  @Column({ type: 'varchar' })
  secret: string;
}
