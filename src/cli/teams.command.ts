import type { Command } from 'commander';
import { OPERATOR } from '../audit/index.js';
import { isId } from '../platform/index.js';
import { TeamPlans } from '../teams/index.js';
import { CommandError } from './command-error.js';
import { printJson, type Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

/** `teams set-plan`: sets the rate-limit plan of a team. */
export function defineTeamsCommand(command: Command, terminal: Terminal): void {
  command
    .command('set-plan')
    .description('assign a rate-limit plan to a team')
    .argument('<team>', 'id of the team')
    .argument('<plan>', 'name of a plan in the catalog')
    .option('--json', 'print JSON')
    .action(async (id: string, plan: string, { json }: { readonly json?: true }) => {
      if (!isId(id)) throw new CommandError(`"${id}" is not the id of a team. The id is a UUID.`);
      const team = await withApplication(terminal, (application) =>
        application.get(TeamPlans, { strict: false }).give(OPERATOR, id.toLowerCase(), plan),
      );
      if (json === true) return printJson(terminal, { id: team.id, name: team.name, plan: team.plan });
      terminal.out(`${team.name} now has the plan ${team.plan}.\n`);
    });
}
