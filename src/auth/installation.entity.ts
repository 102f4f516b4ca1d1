import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/**
 * The single row of this table exists after the setup of the service. Its primary key makes the second of two
 * concurrent setups fail.
 */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'installation_pkey' })
  id: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
