import { randomBytes } from 'node:crypto';
import { runCommand, type SettingVariables } from './service-process.js';

export interface Account {
  readonly email: string;
  readonly password: string;
  /** API key of the demo account, with all scopes. */
  readonly key: string;
}

/** Creates the first admin of the empty service with the CLI command `bootstrap`. */
export async function makeAccount(directory: string, settings: SettingVariables): Promise<Account> {
  const email = 'demo@example.com';
  const password = randomBytes(9).toString('base64url');
  const printed = await runCommand(directory, settings, [
    'bootstrap',
    '--email',
    email,
    '--password',
    password,
    '--json',
  ]);
  const { key } = JSON.parse(printed) as { readonly key: string };
  return { email, password, key };
}
