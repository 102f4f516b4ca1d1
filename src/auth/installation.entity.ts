import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** One row, inserted together with the first admin. Its primary key lets one of two concurrent set-ups succeed. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'installation_pkey' })
  id: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
