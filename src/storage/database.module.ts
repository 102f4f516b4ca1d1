import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type DatabaseSettings, type Settings, SETTINGS } from '../settings/index.js';
import {
  databaseUnavailable,
  dataSourceOptions,
  type EntityClass,
  makeOwn,
  type MigrationClass,
  openDataSource,
} from './data-source.js';
import { DatabaseProbe } from './database-probe.js';
import { DatabaseTime } from './database-time.js';
import { FreedSpace, NoFreedSpace } from './writer/freed-space.js';
import { poolOf } from './queries/kept-queries.js';
import { LongReads, PostgresLongReads } from './queries/long-reads.js';
import { NoNotices, Notices } from './notifications/notices.js';
import { PostgresWriter } from './writer/postgres.writer.js';
import { connectionOf } from './sqlite-connection.js';
import { corruptionOf } from './sqlite-faults.js';
import { DatabaseInUseError, SqliteLock } from './sqlite-lock.js';
import { SqliteLongReads } from './queries/sqlite.long-reads.js';
import { SqliteWriter } from './writer/sqlite.writer.js';
import { DIALECT, Writer } from './writer/unit-of-work.js';

/** The lock of this process on its SQLite file, once it has one. */
interface HeldLock {
  lock: SqliteLock | null;
}

const SQLITE_LOCK = Symbol('SQLITE_LOCK');

/** The database of the process: one data source for reading, one writer for writing. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly writer: Writer,
    private readonly longReads: LongReads,
    private readonly notices: Notices,
    @Inject(SQLITE_LOCK) private readonly lock: HeldLock,
  ) {}

  /** @param schema every entity and migration of the service; composed where all rooms are seen */
  static forRoot(schema: {
    readonly entities: readonly EntityClass[];
    readonly migrations: readonly MigrationClass[];
    /** Whether this process is to be the only service on a SQLite file; commands are not. */
    readonly isService?: boolean;
  }): DynamicModule {
    const held: HeldLock = { lock: null };
    const typeorm = TypeOrmModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: ({ database }: Settings) => ({
        ...dataSourceOptions(database, schema.entities, schema.migrations),
        retryAttempts: 0,
      }),
      dataSourceFactory: async (options) => {
        if (schema.isService === true) held.lock = await lockOf(options as DataSourceOptions);
        return openDataSource(options as DataSourceOptions, true);
      },
    });
    return {
      module: DatabaseModule,
      imports: [typeorm],
      providers: [
        DatabaseProbe,
        DatabaseTime,
        { provide: SQLITE_LOCK, useValue: held },
        { provide: DIALECT, inject: [SETTINGS], useFactory: ({ database }: Settings) => database.dialect },
        {
          provide: Writer,
          inject: [DataSource],
          useFactory: writerOf,
        },
        { provide: LongReads, inject: [DataSource], useFactory: longReadsOf },
        {
          provide: FreedSpace,
          inject: [Writer],
          useFactory: (writer: Writer): FreedSpace =>
            writer instanceof SqliteWriter ? writer : new NoFreedSpace(),
        },
        {
          provide: Notices,
          inject: [SETTINGS, Writer],
          useFactory: ({ database }: Settings, writer: Writer) => noticesOf(database, writer),
        },
      ],
      exports: [DatabaseProbe, DIALECT, FreedSpace, LongReads, Notices, Writer, typeorm],
    };
  }

  /** Not before the application shuts down: as long as something runs or is answered, there is more to write. */
  async onApplicationShutdown(): Promise<void> {
    // A statement that reads may go on for a while; what is written need not wait for it.
    await Promise.all([this.longReads.close(), this.writer.close()]);
    await this.notices.close();
    this.lock.lock?.release();
  }
}

/**
 * Notifications between the processes on a database.
 * @param writer its own commits are not notified to this process
 */
export async function noticesOf(database: DatabaseSettings, writer: Writer): Promise<Notices> {
  if (database.dialect === 'sqlite') return new NoNotices();
  // Imported here: a service on SQLite does not load the driver of PostgreSQL.
  const { PostgresNotices } = await import('./notifications/postgres-notices.js');
  return new PostgresNotices(
    database.url,
    (backend) => writer instanceof PostgresWriter && writer.owns(backend),
    database.limitMs,
  );
}

/** Makes this process the only service on its SQLite file. @throws DatabaseInUseError, DatabaseUnavailableError */
async function lockOf(options: DataSourceOptions): Promise<SqliteLock | null> {
  if (options.type !== 'better-sqlite3') return null;
  try {
    makeOwn(options);
    return await SqliteLock.take(options.database, (text) => process.stderr.write(`${text}\n`));
  } catch (error) {
    throw error instanceof DatabaseInUseError ? error : databaseUnavailable(options, error);
  }
}

/** The writer that fits a data source: on the pool of PostgreSQL, or on the file of SQLite. */
export function writerOf(dataSource: DataSource): Writer {
  return dataSource.options.type === 'postgres'
    ? new PostgresWriter(poolOf(dataSource))
    : new SqliteWriter(connectionOf(dataSource).name, corruptionOf(connectionOf(dataSource)));
}

/** The long reads that fit a data source. */
export function longReadsOf(dataSource: DataSource): LongReads {
  return dataSource.options.type === 'postgres'
    ? new PostgresLongReads(dataSource)
    : new SqliteLongReads(connectionOf(dataSource).name, undefined, corruptionOf(connectionOf(dataSource)));
}
