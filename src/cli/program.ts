import { Command, CommanderError } from 'commander';
import { DatabaseUnavailableError } from '../database/index.js';
import { ServiceError } from '../errors/index.js';
import { SettingsError } from '../settings/index.js';
import { addAuditCommand } from './audit.command.js';
import { addBootstrapCommand } from './bootstrap.command.js';
import { CommandEnd, CommandError } from './command-error.js';
import { addConfigCommand } from './config.command.js';
import { addCreateNodeCommand } from './create-node/create-node.command.js';
import { addIssuersCommand } from './issuers.command.js';
import { addKeysCommand } from './keys.command.js';
import { addMigrateCommand } from './migrate.command.js';
import { addRoutesCommand } from './routes.command.js';
import { addRunCommand } from './run.command.js';
import { addTeamsCommand } from './teams.command.js';
import { addWorkerCommand } from './worker.command.js';
import type { Terminal } from './terminal.js';
import { addWatchCommand } from './watch.command.js';

const REFUSED = 1;
/** Wrong settings, or a command that was written wrong. */
const MISUSED = 2;

/**
 * Runs one command line.
 * @param words what follows the program's name
 * @returns the exit code of the process
 */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('workflow-service')
    .description('Workflow Service from the command line')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride();
  addAuditCommand(program, terminal);
  addBootstrapCommand(program, terminal);
  addIssuersCommand(program, terminal);
  addKeysCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addConfigCommand(program, terminal);
  addRoutesCommand(program, terminal);
  addRunCommand(program, terminal);
  addWatchCommand(program, terminal);
  addCreateNodeCommand(program, terminal);
  addTeamsCommand(program, terminal);
  addWorkerCommand(program, terminal);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error, terminal);
  }
}

function explain(error: unknown, { err }: Terminal): number {
  if (error instanceof CommandEnd) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
  if (error instanceof SettingsError) {
    for (const fault of error.faults) err(`${fault}\n`);
    return MISUSED;
  }
  const expected =
    error instanceof CommandError ||
    error instanceof ServiceError ||
    error instanceof DatabaseUnavailableError;
  err(
    `${error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error)}\n`,
  );
  return REFUSED;
}
