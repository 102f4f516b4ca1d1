import { Argument, type Command } from 'commander';
import { loadPlugins, pluginSchemas } from '../nodes/index.js';
import { readBuildInfo } from '../platform/index.js';
import { inspectSettings, readSettings } from '../settings/index.js';
import { transfer, TransferError, TransferProgress } from '../transfer/index.js';
import { CommandError } from './command-error.js';
import { MigrationsRepository } from './migrations.repository.js';
import { postgresUrl, sqliteFile } from './transfer-databases.js';
import type { Terminal } from './terminal.js';

const DIRECTIONS = ['up', 'down', 'status'] as const;
type Direction = (typeof DIRECTIONS)[number];

interface Options {
  readonly from?: string;
  readonly to?: string;
}

/**
 * `migrate`: applies or reverts migrations of the database schema, or moves all data to another database. The service
 * itself applies pending migrations at startup.
 */
export function defineMigrateCommand(command: Command, terminal: Terminal): void {
  command
    .addArgument(new Argument('[direction]', 'default: up').choices(DIRECTIONS))
    .option(
      '--from <database>',
      '"sqlite" for the SQLite file of the settings, or a path, or sqlite://<path>',
    )
    .option('--to <database>', '"postgres" for DATABASE_URL, or postgres://...; the database must be empty')
    .action(async (direction: Direction | undefined, { from, to }: Options) => {
      if (from === undefined && to === undefined) return moveSchema(terminal, direction ?? 'up');
      if (direction !== undefined || from === undefined || to === undefined)
        command.error('Use --from and --to together, and without "up", "down" or "status".');
      await moveEverything(terminal, from, to);
    });
}

async function moveSchema(terminal: Terminal, direction: Direction): Promise<void> {
  const migrations = await MigrationsRepository.open(readSettings(terminal.environment()));
  try {
    for (const line of await run(migrations, direction)) terminal.out(`${line}\n`);
  } finally {
    await migrations.close();
  }
}

async function moveEverything(terminal: Terminal, from: string, to: string): Promise<void> {
  const environment = terminal.environment();
  const path = sqliteFile(from, environment);
  const url = postgresUrl(to, environment);
  const progress = new TransferProgress(terminal);
  const { WORKFLOW_PLUGINS } = inspectSettings(environment).settings;
  const { version } = readBuildInfo(import.meta.url, {});
  const plugins = pluginSchemas(await loadPlugins(WORKFLOW_PLUGINS, version));
  // The schema module loads the entities of all modules. Only a transfer needs them, so the import is dynamic.
  const { MIGRATIONS } = await import('../schema.js');
  try {
    await transfer(path, url, { migrations: MIGRATIONS, plugins }, progress);
  } catch (error) {
    if (error instanceof TransferError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
  terminal.out(
    `Moved ${progress.rows} rows of ${progress.tables} tables; the row counts on PostgreSQL match.\n`,
  );
  terminal.err(
    `Start the service with DATABASE_URL set to PostgreSQL and the same SECRETS_KEY. ${path} was not changed: keep it as a backup. Do not start the service on it again, or suspended executions run twice.\n`,
  );
}

async function run(migrations: MigrationsRepository, direction: Direction): Promise<readonly string[]> {
  switch (direction) {
    case 'up': {
      const applied = await migrations.up();
      return applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `applied  ${name}`);
    }
    case 'down': {
      const undone = await migrations.down();
      const kept = (await migrations.states()).filter((step) => step.applied && step.isOfPlugin);
      return [
        undone === undefined ? 'There is no migration to revert.' : `reverted ${undone}`,
        ...kept.map(({ name }) => `kept     ${name} (migrations of plug-ins are not reverted)`),
      ];
    }
    case 'status':
      return (await migrations.states()).map(
        ({ name, applied }) => `${applied ? 'applied' : 'pending'}  ${name}`,
      );
  }
}
