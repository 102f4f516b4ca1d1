import type { DataSource, QueryRunner } from 'typeorm';
import type { MigrationClass } from './data-source.js';
import { withSchemaLocked } from './migrations.js';
import { PluginMigrationEntity } from './plugin-migration.entity.js';
import { SchemaError } from './schema-check.js';

export interface PluginSchema {
  /** Name of the plug-in's npm package. */
  readonly plugin: string;
  /** All migrations of the plug-in, oldest first. */
  readonly migrations: readonly MigrationClass[];
}

export interface PluginStep {
  readonly plugin: string;
  readonly name: string;
  readonly applied: boolean;
}

/**
 * Applies missing migrations of plug-ins, after those of the service. Other processes wait for the migration lock.
 * @returns the migrations that this call applied
 * @throws SchemaError if the database has migrations that a plug-in does not know
 */
export async function applyPluginSchemas(
  dataSource: DataSource,
  schemas: readonly PluginSchema[],
): Promise<readonly PluginStep[]> {
  if (schemas.every(({ migrations }) => migrations.length === 0)) return [];
  return withSchemaLocked(dataSource, async (_steps, runner) => {
    const made: PluginStep[] = [];
    for (const { plugin, migrations } of schemas) {
      const applied = await appliedSteps(runner, plugin);
      requireKnown(plugin, migrations, applied);
      for (const migration of migrations) {
        if (applied.includes(migration.name)) continue;
        await inOwnTransaction(runner, async () => {
          await new migration().up(runner);
          const row = { plugin, name: migration.name, appliedAt: new Date().toISOString() };
          await runner.manager.insert(PluginMigrationEntity, row);
        });
        made.push({ plugin, name: migration.name, applied: true });
      }
    }
    return made;
  });
}

/** Returns the migrations of all plug-ins, applied or not, in the order in which the service applies them. */
export async function pluginSteps(
  dataSource: DataSource,
  schemas: readonly PluginSchema[],
): Promise<readonly PluginStep[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const isThere = await runner.hasTable('plugin_migrations');
    const steps: PluginStep[] = [];
    for (const { plugin, migrations } of schemas) {
      const applied = isThere ? await appliedSteps(runner, plugin) : [];
      steps.push(...migrations.map(({ name }) => ({ plugin, name, applied: applied.includes(name) })));
    }
    return steps;
  } finally {
    await runner.release();
  }
}

async function appliedSteps(runner: QueryRunner, plugin: string): Promise<readonly string[]> {
  const rows = await runner.manager.findBy(PluginMigrationEntity, { plugin });
  return rows.map(({ name }) => name);
}

function requireKnown(
  plugin: string,
  migrations: readonly MigrationClass[],
  applied: readonly string[],
): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new SchemaError(
      `The database has a newer schema of the plug-in "${plugin}" (unknown migrations: ${unknown.join(', ')}). Install the version of the plug-in that created the schema, or a later version.`,
    );
}

/**
 * Runs one migration of a plug-in in its own transaction on PostgreSQL. On SQLite, all migrations already share the one
 * transaction that holds the migration lock.
 */
async function inOwnTransaction(runner: QueryRunner, step: () => Promise<void>): Promise<void> {
  if (runner.dataSource.options.type !== 'postgres') return step();
  await runner.startTransaction();
  try {
    await step();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
