import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { watchOf } from './queries/prepared-queries.ts';
import { Writer } from './writer/unit-of-work.js';

@Injectable()
export class DatabaseProbe {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly writer: Writer,
  ) {}

  /** Checks that the database responds and accepts commits. The check uses the same connections as requests. */
  async check(): Promise<void> {
    this.writer.check();
    if (this.dataSource.options.type === 'postgres') watchOf(this.dataSource).check();
    await this.dataSource.query('SELECT 1');
  }
}
