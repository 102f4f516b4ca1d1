import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** `worker`: starts a process that runs executions and serves no clients, until a signal ends it. */
export function defineWorkerCommand(command: Command, { environment }: Terminal): void {
  command.action(async () => {
    // Imports the whole service, which no other command needs.
    const { start } = await import('../start/index.js');
    await start({ ...environment(), ROLE: 'worker' });
  });
}
