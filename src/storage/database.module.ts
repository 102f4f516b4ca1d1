import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { type Settings, SETTINGS } from '../settings/index.js';
import {
  applyPluginSchemas,
  DatabaseInUseError,
  DatabaseUnavailableError,
  dataSourceOptions,
  type EntityClass,
  makeOwn,
  type MigrationClass,
  openDataSource,
  PluginMigrationEntity,
  type PluginSchema,
  requireSchema,
  SqliteLock,
} from '../database/index.js';
import { StorageModule } from './storage.module.js';

/** This process's lock on its SQLite file; null before it is taken. */
interface HeldLock {
  lock: SqliteLock | null;
}

const SQLITE_LOCK = Symbol('SQLITE_LOCK');

/** Opens the database of the process once. Rooms import `StorageModule` to use it. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(SQLITE_LOCK) private readonly held: HeldLock) {}

  /** Entities are those that the application's modules list in `TypeOrmModule.forFeature`. */
  static forRoot(schema: {
    /** Entities that no module lists. */
    readonly entities?: readonly EntityClass[];
    readonly migrations: readonly MigrationClass[];
    /** Schemas of plug-ins, applied after the service's own migrations. */
    readonly plugins?: readonly PluginSchema[];
    /** Whether this process must be the only service on its SQLite file. False for CLI commands. */
    readonly isService?: boolean;
  }): DynamicModule {
    const held: HeldLock = { lock: null };
    const typeorm = TypeOrmModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: ({ database }: Settings) => ({
        ...dataSourceOptions(database, schema.entities ?? [], schema.migrations),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
      dataSourceFactory: async (options) => {
        if (schema.isService === true) held.lock = await lockOf(options as DataSourceOptions);
        const dataSource = await openDataSource(options as DataSourceOptions, true);
        await applyPluginSchemas(dataSource, schema.plugins ?? []);
        if (schema.isService === true) await requireSchema(dataSource);
        return dataSource;
      },
    });
    return {
      module: DatabaseModule,
      imports: [typeorm, TypeOrmModule.forFeature([PluginMigrationEntity]), StorageModule],
      providers: [{ provide: SQLITE_LOCK, useValue: held }],
      exports: [StorageModule],
    };
  }

  /** Runs after the writer has closed: Nest shuts modules down in reverse import order. */
  onApplicationShutdown(): void {
    this.held.lock?.release();
  }
}

/** Locks the SQLite file, so that no other service uses it. @throws DatabaseInUseError, DatabaseUnavailableError */
async function lockOf(options: DataSourceOptions): Promise<SqliteLock | null> {
  if (options.type !== 'better-sqlite3') return null;
  try {
    makeOwn(options);
    return await SqliteLock.take(options.database, (text) => process.stderr.write(`${text}\n`));
  } catch (error) {
    throw error instanceof DatabaseInUseError ? error : DatabaseUnavailableError.of(options, error);
  }
}
