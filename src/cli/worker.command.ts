import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** `worker`: this process runs executions and answers no client, until it is told to end. */
export function addWorkerCommand(program: Command, { environment }: Terminal): void {
  program
    .command('worker')
    .description('run executions beside others that answer clients; the same as ROLE=worker')
    .action(async () => {
      // The whole service, which no other command needs.
      const { start } = await import('../start/index.js');
      await start({ ...environment(), ROLE: 'worker' });
    });
}
