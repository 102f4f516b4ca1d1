import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** Offset of the test clock from real time: one row for all processes on the database. */
@Entity('test_clock')
export class TestClockEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Number of milliseconds by which the test clock is ahead of real time. */
  @PositionColumn({ name: 'offset_ms' })
  offsetMs: number;
}
