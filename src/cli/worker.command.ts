import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/**
 * `worker`: starts a process that runs executions but accepts no client requests. The process runs until a signal ends
 * it.
 */
export function defineWorkerCommand(command: Command, { environment }: Terminal): void {
  command.action(async () => {
    // The start module loads the whole service. Other commands do not need the service, so the import is dynamic.
    const { start } = await import('../start/index.js');
    await start({ ...environment(), ROLE: 'worker' });
  });
}
