import type { Command } from 'commander';
import { AuditVerification } from '../audit/index.js';
import { CommandEnd } from './command-error.js';
import { printJson, type Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

const BROKEN = 1;

const REASONS = {
  changed: 'was changed after it was sealed',
  deleted: 'was deleted',
  gap: 'does not match the hash of the previous entry: seals were deleted',
  inserted: 'was inserted later: entries that are newer were sealed before it',
  moved: 'is not at the position where it was sealed',
} as const;

/** `audit verify`: checks the hash chains of the audit log and names the first broken entry. */
export function defineAuditCommand(command: Command, terminal: Terminal): void {
  command
    .command('verify')
    .description('verify the hash chain of each team; exits with 1 at the first broken entry')
    .option('--json', 'print JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const { chains, broken } = await withApplication(terminal, (application) =>
        application.get(AuditVerification, { strict: false }).verify(),
      );
      if (json === true)
        printJson(terminal, { chains: chains.map(chainOnWire), broken: brokenOnWire(broken) });
      else {
        for (const { teamId, sequence, unsealed, hash } of chains)
          terminal.out(`${teamId}  ${sequence} entries verified, ${unsealed} not sealed yet, head ${hash}\n`);
        if (broken !== null)
          terminal.err(
            `Broken: entry ${broken.entryId} of team ${broken.teamId} ${REASONS[broken.reason]}.\n`,
          );
      }
      if (broken !== null) throw new CommandEnd(BROKEN);
    });
}

type Found = Awaited<ReturnType<AuditVerification['verify']>>;

function chainOnWire({ teamId, sequence, hash, unsealed }: Found['chains'][number]) {
  return { team_id: teamId, sequence, hash, unsealed };
}

function brokenOnWire(broken: Found['broken']) {
  if (broken === null) return null;
  const { teamId, sequence, entryId, reason } = broken;
  return { team_id: teamId, sequence, entry_id: entryId, reason };
}
