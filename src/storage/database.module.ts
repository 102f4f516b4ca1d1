import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { type Settings, SETTINGS } from '../settings/index.js';
import {
  applyPluginSchemas,
  dataSourceOptions,
  type EntityClass,
  type MigrationClass,
  openDataSource,
  PluginMigrationEntity,
  type PluginSchema,
  requireSchema,
  SqliteLock,
} from '../database/index.js';
import { StorageModule } from './storage.module.js';

/** Holder of this process's lock on the SQLite file. `lock` is null while the process has no lock. */
interface HeldLock {
  lock: SqliteLock | null;
}

const SQLITE_LOCK = Symbol('SQLITE_LOCK');

/** Opens the database once in each process. Other modules import `StorageModule` instead of this module. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(SQLITE_LOCK) private readonly held: HeldLock) {}

  /** Configures the database. The entities are collected from the `TypeOrmModule.forFeature` calls of all modules. */
  static forRoot(schema: {
    /** Further entities, which no module passes to `TypeOrmModule.forFeature`. */
    readonly entities?: readonly EntityClass[];
    readonly migrations: readonly MigrationClass[];
    /** Schemas of plug-ins. The migrations of plug-ins run after the migrations of the service. */
    readonly plugins?: readonly PluginSchema[];
    /**
     * Whether this process is a service, and not a CLI command. A service locks its SQLite file against other services,
     * and requires a current schema.
     */
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
        if (schema.isService === true)
          held.lock = await SqliteLock.ofService(options as DataSourceOptions, (text) =>
            process.stderr.write(`${text}\n`),
          );
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

  /**
   * Releases the lock on the SQLite file after the other modules, because Nest shuts modules down in reverse import
   * order.
   */
  onApplicationShutdown(): void {
    this.held.lock?.release();
  }
}
