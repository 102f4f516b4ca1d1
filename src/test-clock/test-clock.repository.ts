import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, markedStatement, Writer } from '../storage/index.js';
import { TestClockEntity } from './test-clock.entity.js';

const ONLY_ROW = 1;

@Injectable()
export class TestClockRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  /** Returns the number of milliseconds by which the test clock is ahead of real time. Default: 0. */
  async offset(): Promise<number> {
    const row = await this.dataSource.getRepository(TestClockEntity).findOneBy({ id: ONLY_ROW });
    return row?.offsetMs ?? 0;
  }

  /** Moves the test clock forward to a larger offset. An offset below the stored offset changes nothing. */
  raise(offsetMs: number): Promise<void> {
    const raising = markedStatement(
      this.dialect,
      `INSERT INTO test_clock (id, offset_ms) VALUES (${ONLY_ROW}, ?)
       ON CONFLICT (id) DO UPDATE SET offset_ms = excluded.offset_ms WHERE excluded.offset_ms > test_clock.offset_ms`,
      [offsetMs],
    );
    return this.writer.commit({ writes: [raising] });
  }
}
