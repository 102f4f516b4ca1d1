import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** One row, made together with the first admin: of two who try at once, its primary key lets one through. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'installation_pkey' })
  id: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
