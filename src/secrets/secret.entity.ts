import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';
import { SealedColumn } from '../encryption/index.js';
import { sealContext } from './secret.js';

@Entity('secrets')
@Index('secrets_project', ['projectId', 'id'])
@Index('secrets_name', ['projectId', 'name'], { unique: true })
export class SecretEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'text' })
  description: string;

  /**
   * Encrypted value of the secret, including the id of the encryption key. A query reads this column only if the query
   * selects the column explicitly.
   */
  @SealedColumn(sealContext, { type: 'text', select: false })
  sealed: string;

  @Column({ type: 'integer' })
  version: number;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  @TimeColumn({ name: 'last_used_at', nullable: true })
  lastUsedAt: string | null;
}
