import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** Offset of the test clock from real time. One row contains the offset for all processes. */
@Entity('test_clock')
export class TestClockEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Milliseconds by which the test clock is ahead of real time. */
  @PositionColumn({ name: 'offset_ms' })
  offsetMs: number;
}
