import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Periodic, systemClock } from '../platform/index.js';
import { DIALECT, type Dialect } from './writer/unit-of-work.js';

const LOOK_MS = 5_000;

/** An answer that took longer says too little of the time at which it arrives. */
const MOST_MS = 1_000;

/**
 * Processes that share a database share its clock: what one of them makes due is due for the others, and a clock
 * that is set wrong on one machine neither wakes what sleeps nor ends what may still take its time.
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
    // The file of SQLite has the clock of this machine.
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
