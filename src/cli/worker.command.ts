import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** `worker`: starts a process that runs executions and accepts no requests of clients, until a signal ends it. */
export function defineWorkerCommand(command: Command, { environment }: Terminal): void {
  command.action(async () => {
    // The import is dynamic, because it loads the whole service, which other commands do not need.
    const { start } = await import('../start/index.js');
    await start({ ...environment(), ROLE: 'worker' });
  });
}
