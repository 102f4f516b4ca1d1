import { Entity } from 'typeorm';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** Position up to which a process has exported its spans. Other processes take over the rows of dead processes. */
@Entity('trace_exports')
export class TraceExportEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'instance_id' })
  instanceId: string;

  /** The collector has accepted all spans of the process up to this journal position. */
  @PositionColumn({ name: 'exported_to' })
  exportedTo: number;

  /** For a dead process, a position after all of its commits. Null for a live process. */
  @PositionColumn({ name: 'ends_at', nullable: true })
  endsAt: number | null;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
