import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Periodic, systemClock } from '../platform/index.js';
import { DIALECT, type Dialect } from './writer/unit-of-work.js';

const SYNC_INTERVAL_MS = 5_000;

/**
 * Maximum duration in milliseconds of the query that reads the clock of the database. The result of a slower query is
 * too inaccurate and is ignored.
 */
const MOST_MS = 1_000;

/**
 * Synchronizes the clock of this process with the clock of the PostgreSQL server, so that all processes agree on which
 * work is due.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DatabaseTime.name);
  private readonly poll = new Periodic(
    SYNC_INTERVAL_MS,
    () => this.sync(MOST_MS),
    (error) =>
      this.logger.debug(
        { err: error },
        'The time of the database could not be read. The clock continues with the last known offset.',
      ),
  );

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async onModuleInit(): Promise<void> {
    // A SQLite file is used on one machine only, so the clock of this machine needs no synchronization.
    if (this.dialect === 'sqlite') return;
    await this.sync(Infinity);
    this.poll.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.poll.stop();
  }

  private async sync(mostMs: number): Promise<void> {
    const sentAt = performance.now();
    const [row] = await this.dataSource.query<readonly { readonly ms: string }[]>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
    );
    const tookMs = performance.now() - sentAt;
    if (row !== undefined && tookMs <= mostMs) systemClock.follow(Number(row.ms) + tookMs / 2);
  }
}
