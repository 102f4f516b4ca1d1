import { Argument, type Command } from 'commander';
import { readSettings } from '../platform/index.js';
import { MigrationsRepository } from './migrations.repository.js';
import type { Terminal } from './terminal.js';

const DIRECTIONS = ['up', 'down', 'status'] as const;
type Direction = (typeof DIRECTIONS)[number];

/** `migrate`: moves the schema of the database. A start does `up` by itself. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('bring the schema up to date, take its last step back, or show where it is')
    .addArgument(new Argument('[direction]').choices(DIRECTIONS).default('up'))
    .action(async (direction: Direction) => {
      const migrations = await MigrationsRepository.open(readSettings(terminal.environment()));
      try {
        for (const line of await run(migrations, direction)) terminal.out(`${line}\n`);
      } finally {
        await migrations.close();
      }
    });
}

async function run(migrations: MigrationsRepository, direction: Direction): Promise<readonly string[]> {
  switch (direction) {
    case 'up': {
      const applied = await migrations.up();
      return applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `applied  ${name}`);
    }
    case 'down': {
      const undone = await migrations.down();
      return [undone === undefined ? 'There is no step to take back.' : `undone   ${undone}`];
    }
    case 'status':
      return (await migrations.states()).map(
        ({ name, applied }) => `${applied ? 'applied' : 'pending'}  ${name}`,
      );
  }
}
