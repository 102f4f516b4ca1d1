import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PositionColumn } from '../database/index.js';

/** The position of an audit entry in its team's hash chain. Rows are only inserted. */
@Entity('audit_seals')
@Index('audit_seals_entry', ['entryId'], { unique: true })
export class AuditSealEntity {
  @IdColumn({ name: 'team_id', primary: true, primaryKeyConstraintName: 'audit_seals_pkey' })
  teamId: string;

  /** Starts at 1, without gaps. */
  @PositionColumn({ primary: true, primaryKeyConstraintName: 'audit_seals_pkey' })
  sequence: number;

  @IdColumn({ name: 'entry_id' })
  entryId: string;

  /** Empty for the first entry. */
  @Column({ name: 'previous_hash', type: 'varchar' })
  previousHash: string;

  /** Result of `hashOfEntry`, in hex. */
  @Column({ type: 'varchar' })
  hash: string;
}
