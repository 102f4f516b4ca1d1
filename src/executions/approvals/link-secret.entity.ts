import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: what links are signed with where no `SECRETS_KEY` is set, so that they hold after a restart. */
@Entity('link_secret')
export class LinkSecretEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'link_secret_pkey' })
  id: number;

  /** 32 random bytes in base64. */
  @Column({ type: 'varchar' })
  secret: string;
}
