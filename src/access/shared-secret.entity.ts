import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A secret that all processes on the database share. View tokens and, without `SECRETS_KEY`, approval links are signed
 * with keys derived from this secret. Tokens and links therefore remain valid after a restart.
 */
@Entity('link_secret')
export class SharedSecretEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'link_secret_pkey' })
  id: number;

  /** The secret: 32 random bytes in base64. */
  @Column({ type: 'varchar' })
  secret: string;
}
