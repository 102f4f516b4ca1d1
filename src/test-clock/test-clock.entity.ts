import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the test clock is ahead of real time: one row for all processes on the database. */
@Entity('test_clock')
export class TestClockEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Milliseconds. */
  @Column({ name: 'offset_ms', type: 'bigint' })
  offsetMs: string;
}
