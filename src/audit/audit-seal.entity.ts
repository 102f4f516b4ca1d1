import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PositionColumn } from '../database/index.js';

/** Seal of an audit entry: its position in the hash chain of the team. Rows are inserted but never changed. */
@Entity('audit_seals')
@Index('audit_seals_entry', ['entryId'], { unique: true })
export class AuditSealEntity {
  @IdColumn({ name: 'team_id', primary: true, primaryKeyConstraintName: 'audit_seals_pkey' })
  teamId: string;

  /** Position of the entry in the hash chain of the team. Positions start at 1 and have no gaps. */
  @PositionColumn({ primary: true, primaryKeyConstraintName: 'audit_seals_pkey' })
  sequence: number;

  @IdColumn({ name: 'entry_id' })
  entryId: string;

  /** Hash of the previous entry in the chain; empty for the first entry. */
  @Column({ name: 'previous_hash', type: 'varchar' })
  previousHash: string;

  /** Hash of the entry in hex, computed by `hashOfEntry`. */
  @Column({ type: 'varchar' })
  hash: string;
}
