import type { Command } from 'commander';
import { IssuerRevocation } from '../token-exchange/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { CommandError } from './command-error.js';
import { type Terminal, printJson } from './terminal.js';
import { withApplication } from './with-application.js';

/** `issuers revoke`: revokes every API token that was exchanged for a JWT of one issuer. */
export function defineIssuersCommand(command: Command, terminal: Terminal): void {
  command
    .command('revoke')
    .description('revoke all API tokens that were issued for JWTs of an issuer')
    .argument('<issuer>', 'the "iss" claim of its JWTs')
    .option('--json', 'print JSON')
    .action(async (issuer: string, { json }: { readonly json?: true }) => {
      const { revoked, isTrusted } = await withApplication(terminal, async (application) => ({
        revoked: await application.get(IssuerRevocation).revoke(issuer),
        isTrusted: application
          .get<Settings>(SETTINGS)
          .TOKEN_ISSUERS.some(({ issuer: trusted }) => trusted === issuer),
      }));
      if (revoked === 0 && !isTrusted)
        throw new CommandError(
          `No API token was issued for JWTs of the issuer ${issuer}, and TOKEN_ISSUERS does not list this issuer.`,
        );
      if (json === true) return printJson(terminal, { issuer, revoked, trusted: isTrusted });
      terminal.out(`Revoked ${revoked} ${revoked === 1 ? 'token' : 'tokens'} of ${issuer}.\n`);
      if (isTrusted)
        terminal.err(
          'New JWTs of this issuer are still accepted. To stop this, remove it from TOKEN_ISSUERS and restart the service.\n',
        );
    });
}
