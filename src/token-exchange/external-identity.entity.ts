import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';
import { UserEntity } from '../users/index.js';

/** Links a user to the issuer and the subject (`sub`) of the user's JWTs. */
@Entity('external_identities')
@Index('external_identities_user', ['userId'])
export class ExternalIdentityEntity {
  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'external_identities_pkey' })
  issuer: string;

  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'external_identities_pkey' })
  subject: string;

  @IdColumn({ name: 'user_id' })
  @ForeignKey(() => UserEntity, { name: 'external_identities_user_fkey', onDelete: 'CASCADE' })
  userId: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
