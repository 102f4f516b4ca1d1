import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Periodic, systemClock } from '../platform/index.js';
import { DIALECT, type Dialect } from './writer/unit-of-work.js';

const LOOK_MS = 5_000;

/** Maximum response time in milliseconds. A slower response is too inaccurate to set the clock. */
const MOST_MS = 1_000;

/**
 * Synchronizes the clocks of all processes with their shared database. So processes agree on what is due. A wrong clock
 * on one machine starts no timer early and ends nothing before its timeout.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DatabaseTime.name);
  private readonly poll = new Periodic(
    LOOK_MS,
    () => this.look(MOST_MS),
    (error) =>
      this.logger.debug({ err: error }, 'The time of the database could not be read; this clock goes on.'),
  );

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async onModuleInit(): Promise<void> {
    // A SQLite file is on this machine and has its clock.
    if (this.dialect === 'sqlite') return;
    await this.look(Infinity);
    this.poll.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.poll.stop();
  }

  private async look(mostMs: number): Promise<void> {
    const asked = performance.now();
    const [row] = await this.dataSource.query<readonly { readonly ms: string }[]>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
    );
    const tookMs = performance.now() - asked;
    if (row !== undefined && tookMs <= mostMs) systemClock.follow(Number(row.ms) + tookMs / 2);
  }
}
