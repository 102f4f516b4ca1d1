import type { Command } from 'commander';
import { type ExecutionFault, ExecutionVerification } from '../execution-store/index.js';
import { JournalRepository } from '../journal/index.js';
import { CommandEnd } from './command-error.js';
import { lastSeen, lossOf } from './seen-events.js';
import { printJson, type Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

const DIFFERENT = 1;
/** Number of verified executions after which the command prints another line of progress. */
const PROGRESS_EVERY = 100_000;

/**
 * `verify`: checks that the database row of each execution matches its journal. With `--seen`, also checks that the
 * journal contains every event that clients received. The service may run during the check.
 */
export function defineVerifyCommand(command: Command, terminal: Terminal): void {
  command
    .option('--json', 'print JSON')
    .option(
      '--seen <file>',
      'file with the events that clients received, one per line, as "watch --json" prints them',
    )
    .action(async ({ json, seen }: { readonly json?: true; readonly seen?: string }) => {
      const found: ExecutionFault[] = [];
      const report = (fault: ExecutionFault): void => {
        found.push(fault);
        if (json !== true) terminal.err(`${fault.executionId}: ${fault.reason}\n`);
      };
      const expected = seen === undefined ? [] : [...(await lastSeen(seen))];
      const { executions, events } = await withApplication(terminal, async (application) => {
        const journal = application.get(JournalRepository, { strict: false });
        for (const [executionId, event] of expected) {
          const reason = await lossOf(journal, executionId, event);
          if (reason !== null) report({ executionId, reason });
        }
        return application.get(ExecutionVerification, { strict: false }).verify(report, (done) => {
          if (done > 0 && done % PROGRESS_EVERY === 0) terminal.err(`${done} executions checked ...\n`);
        });
      });
      if (json === true)
        printJson(terminal, {
          executions,
          events,
          faults: found.map(({ executionId, reason }) => ({ execution_id: executionId, reason })),
        });
      else terminal.out(`Checked ${executions} executions with ${events} events: ${found.length} differ.\n`);
      if (found.length > 0) throw new CommandEnd(DIFFERENT);
    });
}
