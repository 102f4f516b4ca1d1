import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/**
 * The setup of the service inserts the only row of this table. If two setups run at the same time, the
 * primary key makes the second one fail.
 */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'installation_pkey' })
  id: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
