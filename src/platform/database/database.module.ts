import { type BeforeApplicationShutdown, type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Database } from 'better-sqlite3';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type Settings, SETTINGS } from '../config/settings.js';
import { dataSourceOptions, type EntityClass, type MigrationClass, openDataSource } from './data-source.js';
import { PostgresWriter } from './postgres.writer.js';
import { SqliteWriter } from './sqlite.writer.js';
import { DIALECT, Writer } from './unit-of-work.js';

/** The database of the process: one data source for reading, one writer for writing. */
@Global()
@Module({})
export class DatabaseModule implements BeforeApplicationShutdown {
  constructor(private readonly writer: Writer) {}

  /** @param schema every entity and migration of the service; composed where all rooms are seen */
  static forRoot(schema: {
    readonly entities: readonly EntityClass[];
    readonly migrations: readonly MigrationClass[];
  }): DynamicModule {
    const typeorm = TypeOrmModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: ({ database }: Settings) => ({
        ...dataSourceOptions(database, schema.entities, schema.migrations),
        retryAttempts: 0,
      }),
      dataSourceFactory: (options) => openDataSource(options as DataSourceOptions, true),
    });
    return {
      module: DatabaseModule,
      imports: [typeorm],
      providers: [
        { provide: DIALECT, inject: [SETTINGS], useFactory: ({ database }: Settings) => database.dialect },
        { provide: Writer, inject: [DataSource], useFactory: writerOf },
      ],
      exports: [DIALECT, Writer, typeorm],
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writer.drain();
  }
}

/** The writer that fits a data source; it works on the driver's own handle. */
export function writerOf(dataSource: DataSource): Writer {
  const driver = dataSource.driver as unknown as {
    readonly databaseConnection: Database;
    readonly master: Pool;
  };
  return dataSource.options.type === 'postgres'
    ? new PostgresWriter(driver.master)
    : new SqliteWriter(driver.databaseConnection);
}
