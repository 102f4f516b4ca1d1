import type { Command } from 'commander';
import { type ExecutionFault, ExecutionVerification } from '../execution-store/index.js';
import { CommandEnd } from './command-error.js';
import { printJson, type Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

const DIFFERENT = 1;
/** Prints a progress line after this many executions. */
const TOLD_EVERY = 100_000;

/** `verify`: checks that the rows of executions match their journals. The service may be running. */
export function defineVerifyCommand(command: Command, terminal: Terminal): void {
  command.option('--json', 'print JSON').action(async ({ json }: { readonly json?: true }) => {
    const found: ExecutionFault[] = [];
    const { executions, events, faults } = await withApplication(terminal, (application) =>
      application.get(ExecutionVerification, { strict: false }).verify(
        (fault) => {
          if (json === true) found.push(fault);
          else terminal.err(`${fault.executionId}: ${fault.reason}\n`);
        },
        (done) => {
          if (done > 0 && done % TOLD_EVERY === 0) terminal.err(`${done} executions checked ...\n`);
        },
      ),
    );
    if (json === true)
      printJson(terminal, {
        executions,
        events,
        faults: found.map(({ executionId, reason }) => ({ execution_id: executionId, reason })),
      });
    else terminal.out(`Checked ${executions} executions with ${events} events: ${faults} differ.\n`);
    if (faults > 0) throw new CommandEnd(DIFFERENT);
  });
}
