import type { INestApplicationContext } from '@nestjs/common';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isScopeGrant, type ScopeGrant, SCOPES } from '../access/index.js';
import {
  apiKeyOnWire,
  DEFAULT_KEY_ENVIRONMENT,
  KEY_ENVIRONMENTS,
  type KeyEnvironment,
  KeysService,
} from '../keys/index.js';
import { CLOCK, type Clock, defined, isoTime } from '../platform/index.js';
import { type Membership, TeamsService } from '../teams/index.js';
import { UsersService } from '../users/index.js';
import { CommandError } from './command-error.js';
import { type Terminal, printJson, printTable } from './terminal.js';
import { withApplication } from './with-application.js';

interface Options {
  readonly name: string;
  readonly scopes?: readonly ScopeGrant[];
  readonly project?: string;
  readonly environment: KeyEnvironment;
  readonly expires: number | 'never';
  readonly email?: string;
  readonly json?: true;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 3650;

/** `keys create`: creates a key for the first owner of the service, or for another user. */
export function defineKeysCommand(command: Command, terminal: Terminal): void {
  command
    .command('create')
    .description('create an API key')
    .requiredOption('--name <name>', 'name of the key')
    .option('--scopes <scopes>', 'scopes, separated by commas; default: all scopes of its owner', readScopes)
    .option('--project <id>', 'project that the key is bound to')
    .addOption(
      new Option('--environment <environment>', 'environment of the key')
        .choices(KEY_ENVIRONMENTS)
        .default(DEFAULT_KEY_ENVIRONMENT),
    )
    .option('--expires <days>', 'days until the key expires, or never', readDays, 90)
    .option('--email <email>', 'email address of the owner; default: the first owner')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const wire = await withApplication(terminal, (application) => create(application, options));
      if (options.json === true) return printJson(terminal, wire);
      printTable(terminal, { Name: wire.name, Id: wire.id, Scopes: wire.scopes.join(' '), Key: wire.key });
      terminal.err('Store the key: it is not shown again.\n');
    });
}

async function create(application: INestApplicationContext, options: Options) {
  const { teamId, userId, role } = await ownerOf(application, options.email);
  const now = application.get<Clock>(CLOCK).now();
  const { key, secret } = await application.get(KeysService).create(
    { userId, teamId, role, projectId: null, scopes: ['*'] },
    defined({
      name: options.name,
      environment: options.environment,
      scopes: options.scopes,
      projectId: options.project,
      expiresAt: options.expires === 'never' ? undefined : isoTime(now + options.expires * DAY_MS),
    }),
  );
  const team = await application.get(TeamsService).find(teamId);
  if (team === null) throw new CommandError(`The team ${teamId} does not exist.`);
  return { ...apiKeyOnWire(key, team.plan), key: secret };
}

async function ownerOf(application: INestApplicationContext, email: string | undefined): Promise<Membership> {
  const teams = application.get(TeamsService);
  if (email === undefined) {
    const owner = await teams.firstOwner();
    if (owner === null) throw new CommandError('This service has no user yet. Run "bootstrap" first.');
    return owner;
  }
  const user = await application.get(UsersService).findByEmail(email);
  const [membership] = user === null ? [] : await teams.memberships([user.id]);
  if (membership === undefined)
    throw new CommandError(`No user with the email address ${email} is a member of a team.`);
  return membership;
}

function readScopes(text: string): readonly ScopeGrant[] {
  return text.split(',').map((part) => {
    const scope = part.trim();
    if (isScopeGrant(scope)) return scope;
    throw new InvalidArgumentError(`"${scope}" is not a scope. Scopes: *, ${SCOPES.join(', ')}.`);
  });
}

function readDays(text: string): number | 'never' {
  if (text === 'never') return text;
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(
    `The number of days must be a whole number from 1 to ${MAX_DAYS}, or "never".`,
  );
}
