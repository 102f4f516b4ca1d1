import type { Command } from 'commander';
import { FirstAdminService } from '../auth/index.js';
import { defined } from '../platform/index.js';
import { type Terminal, printJson, printTable } from './terminal.js';
import { withApplication } from './with-application.js';

interface Options {
  readonly email: string;
  readonly password?: string;
  readonly json?: true;
}

/** `bootstrap`: creates the first admin of an empty service, with a team, a project and a key that has all scopes. */
export function defineBootstrapCommand(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--email <email>', 'email address of the admin')
    .option('--password <password>', 'password of the admin for the dashboard')
    .option('--json', 'print JSON')
    .action(async ({ email, password, json }: Options) => {
      const made = await withApplication(terminal, (application) =>
        application.get(FirstAdminService).create(defined({ email, password })),
      );
      if (json === true) {
        printJson(terminal, {
          user: { id: made.user.id, email: made.user.email, name: made.user.name },
          team: { id: made.team.id, name: made.team.name, plan: made.team.plan },
          project: { id: made.project.id, name: made.project.name },
          key: made.secret,
        });
        return;
      }
      printTable(terminal, {
        User: `${made.user.email} (${made.user.id})`,
        Team: `${made.team.name} (${made.team.id})`,
        Project: `${made.project.name} (${made.project.id})`,
        Key: made.secret,
      });
      terminal.err('Store the key: it is not shown again.\n');
    });
}
