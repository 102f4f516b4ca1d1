import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { watchOf } from './queries/kept-queries.js';
import { Writer } from './writer/unit-of-work.js';

/** Whether the database answers and takes commits, asked on the connections that requests use. */
@Injectable()
export class DatabaseProbe {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly writer: Writer,
  ) {}

  /** Resolves when the database answers and takes commits, rejects when it does not. */
  async check(): Promise<void> {
    this.writer.check();
    if (this.dataSource.options.type === 'postgres') watchOf(this.dataSource).check();
    await this.dataSource.query('SELECT 1');
  }
}
