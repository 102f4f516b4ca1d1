import { type DataSource, MigrationExecutor } from 'typeorm';
import { InstanceEntity, instancesOf, isInstanceDead } from '../instances/index.js';
import {
  applyPluginSchemas,
  dataSourceOptions,
  openDataSource,
  PluginMigrationEntity,
  type PluginSchema,
  pluginSteps,
  withSchemaLocked,
} from '../database/index.js';
import { loadPlugins, pluginSchemas } from '../nodes/index.js';
import { readBuildInfo } from '../platform/index.js';
import type { Settings } from '../settings/index.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { CommandError } from './command-error.js';

const INSTANCES = 'instances';

/** Thrown when `migrate down` is called while a service runs on the database. */
export class ServiceRunningError extends CommandError {
  constructor(host: string, pid: number) {
    super(
      `A service is running on this database (process ${pid} on ${host}). Stop all services, then run "migrate down" again.`,
    );
  }
}

/** A migration of the database schema, and whether it is applied. */
export interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
  readonly isOfPlugin: boolean;
}

/** Applies, reverts and lists migrations of the database schema for the command `migrate`. */
export class MigrationsRepository {
  private constructor(
    private readonly dataSource: DataSource,
    private readonly plugins: readonly PluginSchema[],
  ) {}

  /** @throws DatabaseUnavailableError; SettingsError for unusable plug-ins */
  static async open({ database, WORKFLOW_PLUGINS }: Settings): Promise<MigrationsRepository> {
    const { version } = readBuildInfo(import.meta.url, {});
    const plugins = pluginSchemas(await loadPlugins(WORKFLOW_PLUGINS, version));
    const options = dataSourceOptions(database, [InstanceEntity, PluginMigrationEntity], MIGRATIONS);
    return new MigrationsRepository(await openDataSource(options, false), plugins);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  /** @returns the names of the applied migrations, oldest first */
  async up(): Promise<readonly string[]> {
    const own = await withSchemaLocked(this.dataSource, (steps) => steps.up());
    const ofPlugins = await applyPluginSchemas(this.dataSource, this.plugins);
    return [...own, ...ofPlugins.map(nameOf)];
  }

  /**
   * Reverts the last applied migration of the service. Migrations of plug-ins are never reverted.
   * @returns the name of the reverted migration; undefined if no migration is applied
   * @throws ServiceRunningError
   */
  async down(): Promise<string | undefined> {
    return withSchemaLocked(this.dataSource, async (steps, runner) => {
      if (await runner.hasTable(INSTANCES)) await this.requireStopped();
      const pending = await steps.pending();
      const last = this.names().findLast((name) => !pending.includes(name));
      if (last !== undefined) await steps.down();
      return last;
    });
  }

  /**
   * Returns the migrations of the service, oldest first, and then the migrations of each plug-in, oldest
   * first.
   */
  async states(): Promise<readonly MigrationState[]> {
    const executor = new MigrationExecutor(this.dataSource);
    const pending = new Set((await executor.getPendingMigrations()).map(({ name }) => name));
    const own = this.names().map((name) => ({ name, applied: !pending.has(name), isOfPlugin: false }));
    const ofPlugins = await pluginSteps(this.dataSource, this.plugins);
    return [
      ...own,
      ...ofPlugins.map((step) => ({ name: nameOf(step), applied: step.applied, isOfPlugin: true })),
    ];
  }

  private async requireStopped(): Promise<void> {
    const dialect = this.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const running = (await instancesOf(this.dataSource, dialect)).find((one) => !isInstanceDead(one));
    if (running !== undefined) throw new ServiceRunningError(running.host, running.pid);
  }

  private names(): readonly string[] {
    return this.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }
}

function nameOf({ plugin, name }: { readonly plugin: string; readonly name: string }): string {
  return `${plugin}: ${name}`;
}
