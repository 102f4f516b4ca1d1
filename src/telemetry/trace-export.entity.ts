import { Entity } from 'typeorm';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/**
 * Journal position up to which a process has exported its spans. If the process dies, another process takes over the
 * row.
 */
@Entity('trace_exports')
export class TraceExportEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'instance_id' })
  instanceId: string;

  /** Journal position up to which the collector has accepted all spans of the process. */
  @PositionColumn({ name: 'exported_to' })
  exportedTo: number;

  /**
   * Journal position after which a process that has died committed nothing. Null while the process is alive.
   */
  @PositionColumn({ name: 'ends_at', nullable: true })
  endsAt: number | null;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
