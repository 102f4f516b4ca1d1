import { connectionOf, corruptionOf } from '../database/index.js';
import { type DatabaseSettings, type Settings, SETTINGS } from '../settings/index.js';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseProbe } from './database-probe.js';
import { DatabaseTime } from './database-time.js';
import { DiskReclaimer, NoDiskReclaimer } from './writer/disk-reclaimer.ts';
import { poolOf } from './queries/prepared-queries.ts';
import { SlowQueryRunner, PostgresSlowQueryRunner } from './queries/slow-query-runner.ts';
import { NoNotifications, Notifications } from './notifications/notifications.ts';
import { RedisNotifications } from './notifications/redis-notifications.ts';
import { REDIS, type RedisLink, RedisModule } from '../redis/index.js';
import { PostgresWriter } from './writer/postgres.writer.js';
import { SqliteSlowQueryRunner } from './queries/sqlite.slow-query-runner.ts';
import { SqliteWriter } from './writer/sqlite.writer.js';
import { DIALECT, Writer } from './writer/unit-of-work.js';

@Module({
  imports: [RedisModule],
  providers: [
    DatabaseProbe,
    DatabaseTime,
    { provide: DIALECT, inject: [SETTINGS], useFactory: ({ database }: Settings) => database.dialect },
    { provide: Writer, inject: [DataSource], useFactory: writerOf },
    { provide: SlowQueryRunner, inject: [DataSource], useFactory: slowQueryRunnerOf },
    {
      provide: DiskReclaimer,
      inject: [Writer],
      useFactory: (writer: Writer): DiskReclaimer =>
        writer instanceof SqliteWriter ? writer : new NoDiskReclaimer(),
    },
    {
      provide: Notifications,
      inject: [SETTINGS, REDIS],
      useFactory: ({ database }: Settings, redis: RedisLink | null) => noticesOf(database, redis),
    },
  ],
  exports: [DatabaseProbe, DIALECT, DiskReclaimer, SlowQueryRunner, Notifications, Writer],
})
export class StorageModule implements OnApplicationShutdown {
  constructor(
    private readonly writer: Writer,
    private readonly slowQueries: SlowQueryRunner,
    private readonly notices: Notifications,
  ) {}

  /**
   * Closes the storage as late as possible, because running executions and requests write until the application shuts
   * down.
   */
  async onApplicationShutdown(): Promise<void> {
    // The writer and the runner of slow queries close at the same time, so that a slow query does not delay the writer.
    await Promise.all([this.slowQueries.close(), this.writer.close()]);
    await this.notices.close();
  }
}

export async function noticesOf(database: DatabaseSettings, redis: RedisLink | null): Promise<Notifications> {
  if (database.dialect === 'sqlite') return new NoNotifications();
  // The import of the adapter is lazy, so that a service on SQLite does not load the PostgreSQL driver.
  const { PostgresNotifications } = await import('./notifications/postgres-notifications.ts');
  // LISTEN needs a connection without the pooler, which could give the database session to other clients.
  const byDatabase = new PostgresNotifications(database.directUrl ?? database.url, database.limitMs);
  return redis === null ? byDatabase : new RedisNotifications(redis, byDatabase);
}

export function writerOf(dataSource: DataSource): Writer {
  return dataSource.options.type === 'postgres'
    ? new PostgresWriter(poolOf(dataSource))
    : new SqliteWriter(connectionOf(dataSource).name, corruptionOf(connectionOf(dataSource)));
}

export function slowQueryRunnerOf(dataSource: DataSource): SlowQueryRunner {
  return dataSource.options.type === 'postgres'
    ? new PostgresSlowQueryRunner(dataSource)
    : new SqliteSlowQueryRunner(
        connectionOf(dataSource).name,
        undefined,
        corruptionOf(connectionOf(dataSource)),
      );
}
