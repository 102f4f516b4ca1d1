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

/** The lock of this process on its SQLite file, once it has one. */
interface HeldLock {
  lock: SqliteLock | null;
}

const SQLITE_LOCK = Symbol('SQLITE_LOCK');

/** Opens the database of the process, once; rooms import `StorageModule` to use it. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(SQLITE_LOCK) private readonly held: HeldLock) {}

  /** Entities are those that the modules of the application list in `TypeOrmModule.forFeature`. */
  static forRoot(schema: {
    /** Entities without a module of their own. */
    readonly entities?: readonly EntityClass[];
    readonly migrations: readonly MigrationClass[];
    /** What plug-ins bring; applied after the service's own steps. */
    readonly plugins?: readonly PluginSchema[];
    /** Whether this process is to be the only service on a SQLite file; commands are not. */
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

  /** After the writer: modules end in the reverse order of their imports. */
  onApplicationShutdown(): void {
    this.held.lock?.release();
  }
}

/** Makes this process the only service on its SQLite file. @throws DatabaseInUseError, DatabaseUnavailableError */
async function lockOf(options: DataSourceOptions): Promise<SqliteLock | null> {
  if (options.type !== 'better-sqlite3') return null;
  try {
    makeOwn(options);
    return await SqliteLock.take(options.database, (text) => process.stderr.write(`${text}\n`));
  } catch (error) {
    throw error instanceof DatabaseInUseError ? error : DatabaseUnavailableError.of(options, error);
  }
}
