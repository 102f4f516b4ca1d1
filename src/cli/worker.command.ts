import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** `worker`: this process runs executions and answers no client, until it is told to end. */
export function defineWorkerCommand(command: Command, { environment }: Terminal): void {
  command.action(async () => {
    // The whole service, which no other command needs.
    const { start } = await import('../start/index.js');
    await start({ ...environment(), ROLE: 'worker' });
  });
}
