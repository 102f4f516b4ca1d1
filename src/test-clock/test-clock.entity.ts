import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** How far the test clock is ahead of real time: one row for all processes on the database. */
@Entity('test_clock')
export class TestClockEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Milliseconds. */
  @PositionColumn({ name: 'offset_ms' })
  offsetMs: number;
}
