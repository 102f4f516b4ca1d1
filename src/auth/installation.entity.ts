import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../database/index.js';

/** A single row, whose primary key makes the second of two concurrent set-ups fail. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'installation_pkey' })
  id: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
