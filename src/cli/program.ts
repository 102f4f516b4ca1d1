import { Command, CommanderError } from 'commander';
import { ServiceError } from '../errors/index.js';
import { readBuildInfo } from '../platform/index.js';
import { SettingsError } from '../settings/index.js';
import { CommandEnd, CommandError } from './command-error.js';
import { COMMANDS } from './commands.js';
import type { Terminal } from './terminal.js';

const REFUSED = 1;
/** Exit code of the CLI for invalid settings or invalid arguments. */
const USAGE_ERROR = 2;

/**
 * Runs one CLI command.
 * @param words command-line arguments without the name of the program
 * @returns the exit code of the process
 */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('workflow-service')
    .description('Command line of Workflow Service')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride();
  if (words[0] === '--version') program.version(readBuildInfo(import.meta.url, process.env).version);
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (words.includes(name)) (await load())(command, terminal);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return await explain(error, terminal);
  }
}

async function explain(error: unknown, { err }: Terminal): Promise<number> {
  if (error instanceof CommandEnd) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  if (error instanceof SettingsError) {
    for (const fault of error.faults) err(`${fault}\n`);
    return USAGE_ERROR;
  }
  const { DatabaseUnavailableError } = await import('../database/index.js');
  const { BackupError } = await import('../backup/index.js');
  const expected =
    error instanceof CommandError ||
    error instanceof ServiceError ||
    error instanceof BackupError ||
    error instanceof DatabaseUnavailableError;
  err(
    `${error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error)}\n`,
  );
  return REFUSED;
}
