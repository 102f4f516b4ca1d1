import type { Command } from 'commander';
import { OPERATOR } from '../audit/index.js';
import { isId } from '../platform/index.js';
import { TeamPlans } from '../teams/index.js';
import { CommandError } from './command-error.js';
import { printJson, type Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

/** `teams set-plan`: gives a team a rate-limit plan. */
export function defineTeamsCommand(command: Command, terminal: Terminal): void {
  command
    .command('set-plan')
    .description('give a team a rate-limit plan')
    .argument('<team>', 'id of the team')
    .argument('<plan>', 'name of a plan of the catalogue')
    .option('--json', 'print JSON')
    .action(async (id: string, plan: string, { json }: { readonly json?: true }) => {
      if (!isId(id)) throw new CommandError(`${id} is no id of a team.`);
      const team = await withApplication(terminal, (application) =>
        application.get(TeamPlans, { strict: false }).give(OPERATOR, id.toLowerCase(), plan),
      );
      if (json === true) return printJson(terminal, { id: team.id, name: team.name, plan: team.plan });
      terminal.out(`${team.name} has the plan ${team.plan}.\n`);
    });
}
