import { AccessEpoch, type Role, type ScopeGrant } from '../../src/access/index.js';
import { KeysService } from '../../src/keys/index.js';
import type { NewKey } from '../../src/keys/api-key.js';
import { newId } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { TeamsService } from '../../src/teams/index.js';
import { UsersService } from '../../src/users/index.js';
import type { TestService } from './service.js';

/** A member of a team, with an API key that has all rights of the member's role. */
export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly teamId: string;
  readonly key: string;
  readonly keyId: string;
}

/** Creates a person in a team. The default is the team of the admin. */
export async function newPerson(
  service: TestService,
  role: Role,
  teamId: string = service.admin.teamId,
): Promise<TestPerson> {
  const { app } = service;
  const email = `${newId()}@example.com`;
  const { user, writes } = await app.get(UsersService, { strict: false }).prepare({ email });
  const joining = app
    .get(TeamsService, { strict: false })
    .joining(teamId, user.id, role, () => new Error('The person is already a member of the team.'));
  await app
    .get(Writer, { strict: false })
    .commit(app.get(AccessEpoch, { strict: false }).change({ writes: [...writes, ...joining] }));
  const { id: keyId, secret } = await newKeyOf(service, { id: user.id, teamId, role });
  return { id: user.id, email, teamId, key: secret, keyId };
}

/** Adds a person to another team without an invitation. */
export async function joinTeam(
  { app }: TestService,
  userId: string,
  teamId: string,
  role: Role,
): Promise<void> {
  const writes = app
    .get(TeamsService, { strict: false })
    .joining(teamId, userId, role, () => new Error('The person is already a member of the team.'));
  await app.get(Writer, { strict: false }).commit(app.get(AccessEpoch, { strict: false }).change({ writes }));
}

/** Creates an API key for a person without an API request, so the checks of the API do not apply. */
export async function newKeyOf(
  service: TestService,
  person: { readonly id: string; readonly teamId: string; readonly role: Role },
  wanted: Partial<NewKey> & { readonly scopes?: readonly ScopeGrant[] } = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const maker = {
    userId: person.id,
    teamId: person.teamId,
    role: person.role,
    projectId: null,
    scopes: ['*'] as const,
  };
  const { key, secret } = await service.app
    .get(KeysService, { strict: false })
    .create(maker, { name: 'test', ...wanted });
  return { id: key.id, secret };
}
