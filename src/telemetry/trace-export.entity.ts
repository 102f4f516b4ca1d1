import { Entity } from 'typeorm';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** How far a process has exported the spans of its commits. One row a process; one that died leaves it to another. */
@Entity('trace_exports')
export class TraceExportEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'instance_id' })
  instanceId: string;

  /** The collector has accepted all spans of the process up to this position of the journal. */
  @PositionColumn({ name: 'exported_to' })
  exportedTo: number;

  /** Of a process that died: where its commits end at the latest. Null while it lives. */
  @PositionColumn({ name: 'ends_at', nullable: true })
  endsAt: number | null;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
