import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { createApplication } from '../../src/application.js';
import { newId } from '../../src/platform/index.js';
import { readSettings } from '../../src/settings/index.js';
import { KeyAuthenticator } from '../../src/auth/index.js';
import { InvitationsService } from '../../src/teams/index.js';
import { MembersService } from '../../src/teams/members.service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { newKeyOf, newPerson, type TestPerson } from '../support/people.js';
import { type TestAnswer, type TestResource, TestService } from '../support/service.js';

interface List<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly total: number };
}
interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly role: string;
}
interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly url?: string;
}
interface Added {
  readonly member: Member | null;
  readonly invitation: Invitation | null;
}

describe.each(await databaseKinds())('teams on $name', ({ name: dialect, create: createDatabase }) => {
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await createDatabase();
    service = await TestService.start({
      database: database.settings,
      environment: { BASE_URL: 'https://flows.example.com/' },
    });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const refusal = ({ status, error }: TestAnswer<unknown>): string => `${status} ${error?.code ?? ''}`.trim();
  /**
   * Creates a team with one member, its owner.
   * @returns the owner and the API path of the team
   */
  async function newTeam(): Promise<TestPerson & { readonly path: string }> {
    const { project } = await service.newStranger();
    const owner = await newPerson(service, 'owner', project.teamId);
    // Removes the user who created the team, so that the new owner is the only member.
    const { data } = await members({ ...owner, path: `/v1/teams/${project.teamId}` });
    for (const { user_id } of data)
      if (user_id !== owner.id)
        await service.delete(`/v1/teams/${project.teamId}/members/${user_id}`, { key: owner.key });
    return { ...owner, path: `/v1/teams/${project.teamId}` };
  }
  const members = async ({
    path,
    key,
  }: {
    readonly path: string;
    readonly key: string;
  }): Promise<List<Member>> => (await service.get<List<Member>>(`${path}/members`, { key })).body;
  const invitations = async ({
    path,
    key,
  }: {
    readonly path: string;
    readonly key: string;
  }): Promise<List<Invitation>> => (await service.get<List<Invitation>>(`${path}/invitations`, { key })).body;
  const add = (path: string, body: object, key: string, headers = {}): Promise<TestAnswer<Added>> =>
    service.post<Added>(`${path}/members`, body, { key, headers });

  describe('the team resource', () => {
    it('a user who creates a team becomes its owner, and the team gets a default project', async () => {
      const { key, id } = await newTeam();
      const { status, headers, body } = await service.post('/v1/teams', { name: ' Payments ' }, { key });
      expect([status, headers.get('location')]).toEqual([
        201,
        `https://flows.example.com/v1/teams/${body.id}`,
      ]);
      expect(body).toMatchObject({ name: 'Payments', role: 'owner', plan: 'enterprise' });
      const { body: list } = await service.get<List<TestResource>>('/v1/teams', { key });
      expect(list.data[0]).toEqual(body);
      expect(list.pagination.total).toBe(2);
      // An API key gives access to one team only, so the key of the first team cannot read the second team.
      expect(refusal(await service.get(`/v1/teams/${body.id}`, { key }))).toBe('403 team_out_of_reach');
      const inside = await newKeyOf(service, { id, teamId: body.id, role: 'owner' });
      expect((await service.get(`/v1/teams/${body.id}`, { key: inside.secret })).body).toEqual(body);
      const { body: projects } = await service.get<List<TestResource>>('/v1/projects', {
        key: inside.secret,
      });
      expect(projects.data.map(({ name }) => name)).toEqual(['Default project']);
    });

    it('an owner can rename a team but cannot change its rate-limit plan', async () => {
      const { path, key, teamId } = await newTeam();
      expect((await service.patch(path, { name: 'New' }, { key })).body).toMatchObject({ name: 'New' });
      expect((await service.get(path, { key })).body).toMatchObject({ name: 'New' });
      expect(refusal(await service.patch(path, { name: 'x', plan: 'pro' }, { key }))).toBe(
        '403 not_operator',
      );
      expect((await service.get(path, { key })).body).toMatchObject({ name: 'New', plan: 'enterprise' });
      expect((await service.patch(path, { name: ' ' }, { key })).status).toBe(400);
      const member = await newPerson(service, 'member', teamId);
      expect(refusal(await service.patch(path, { name: 'x' }, { key: member.key }))).toBe(
        '403 missing_scope',
      );
      expect((await service.get(path, { key: member.key })).body).toMatchObject({
        name: 'New',
        role: 'member',
      });
    });

    it('only an owner can delete a team, and the API keys of the deleted team become invalid', async () => {
      const owner = await newTeam();
      const admin = await newPerson(service, 'admin', owner.teamId);
      expect(refusal(await service.delete(owner.path, { key: admin.key }))).toBe('403 not_team_owner');
      expect(refusal(await service.delete(owner.path, { key: owner.key }))).toBe('409 last_team');
      await service.post('/v1/teams', { name: 'Other' }, { key: owner.key });
      expect((await service.delete(owner.path, { key: owner.key })).status).toBe(204);
      for (const key of [owner.key, admin.key])
        expect(refusal(await service.get('/v1/workflows', { key }))).toBe('401 invalid_key');
    });

    it('a key of another team cannot access a team, and a key that is bound to a project cannot change the team', async () => {
      const { path } = await newTeam();
      const bound = await service.newKey({ scopes: ['*'], projectId: service.project.id });
      const own = `/v1/teams/${service.admin.teamId}`;
      for (const [method, end, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', undefined],
        ['GET', '/members', undefined],
        ['POST', '/members', { email: 'x@example.com', role: 'viewer' }],
        ['PATCH', `/members/${service.admin.userId}`, { role: 'viewer' }],
        ['DELETE', `/members/${service.admin.userId}`, undefined],
        ['GET', '/invitations', undefined],
        ['DELETE', `/invitations/${newId()}`, undefined],
      ] as const) {
        const send = (base: string, key = service.key): Promise<TestAnswer> =>
          service.request(method, base + end, { body, key });
        expect(refusal(await send(path))).toBe('403 team_out_of_reach');
        expect(refusal(await send(`/v1/teams/${newId()}`))).toBe('404 team_not_found');
        expect((await send('/v1/teams/1')).status).toBe(400);
        if (method !== 'GET') expect(refusal(await send(own, bound))).toBe('403 project_bound_key');
      }
      expect(refusal(await service.post('/v1/teams', { name: 'x' }, { key: bound }))).toBe(
        '403 project_bound_key',
      );
    });
  });

  describe('members', () => {
    it('an invitation by email returns the same response whether or not the address has an account', async () => {
      const { path, key, teamId } = await newTeam();
      const { email } = await newPerson(service, 'viewer');
      const shapes = [];
      for (const address of [email.toUpperCase(), `${newId()}@example.com`]) {
        const { status, headers, body } = await add(path, { email: address, role: 'member' }, key);
        expect(body).toMatchObject({
          member: null,
          invitation: { email: address.toLowerCase(), role: 'member' },
        });
        shapes.push([status, headers.get('location'), Object.keys(body.invitation ?? {})]);
      }
      expect(shapes[0]).toEqual(shapes[1]);
      expect(shapes[0]?.slice(0, 2)).toEqual([201, `https://flows.example.com${path}/invitations`]);
      expect((await members({ path, key })).pagination.total).toBe(1);
      const inside = await newPerson(service, 'viewer', teamId);
      expect(refusal(await add(path, { email: inside.email, role: 'viewer' }, key))).toBe(
        '409 already_member',
      );
    });

    it('a caller can invite a user by id only if the user shares a team with the caller', async () => {
      const { path, key, id: ownerId } = await newTeam();
      const { id } = await newPerson(service, 'viewer');
      expect(refusal(await add(path, { user_id: id, role: 'viewer' }, key))).toBe('403 user_out_of_reach');
      expect(refusal(await add(path, { user_id: newId(), role: 'viewer' }, key))).toBe('404 user_not_found');
      const { body: other } = await service.post('/v1/teams', { name: 'Second' }, { key });
      const inside = await newKeyOf(service, { id: ownerId, teamId: other.id, role: 'owner' });
      const mate = await newPerson(service, 'viewer', other.id);
      expect((await add(path, { user_id: mate.id, role: 'viewer' }, key)).body).toMatchObject({
        member: null,
        invitation: { email: mate.email },
      });
      expect((await members({ path, key })).pagination.total).toBe(1);
      expect(
        (await add(`/v1/teams/${other.id}`, { user_id: mate.id, role: 'viewer' }, inside.secret)).status,
      ).toBe(409);
    });

    it.each([
      { role: 'member' },
      { email: 'a@example.com', user_id: newId(), role: 'member' },
      { email: 'nobody', role: 'member' },
      { email: 'a@example.com', role: 'root' },
      { email: 'a@example.com' },
    ])('POST /v1/teams/{id}/members returns 400 for the invalid body %j', async (body) => {
      expect((await add(`/v1/teams/${service.admin.teamId}`, body, service.key)).status).toBe(400);
    });

    it('a team member can neither grant nor revoke a role above their own role', async () => {
      const owner = await newTeam();
      const { path, teamId } = owner;
      const admin = await newPerson(service, 'admin', teamId);
      const member = await newPerson(service, 'member', teamId);
      const change = (id: string, role: string, key = admin.key): Promise<TestAnswer> =>
        service.patch(`${path}/members/${id}`, { role }, { key });
      expect(refusal(await change(member.id, 'owner'))).toBe('403 role_above_own');
      expect(refusal(await change(admin.id, 'owner'))).toBe('403 role_above_own');
      expect(refusal(await change(owner.id, 'viewer'))).toBe('403 role_above_own');
      expect(refusal(await service.delete(`${path}/members/${owner.id}`, { key: admin.key }))).toBe(
        '403 role_above_own',
      );
      for (const email of ['new@example.com', (await newPerson(service, 'viewer')).email])
        expect(refusal(await add(path, { email, role: 'owner' }, admin.key))).toBe('403 role_above_own');
      expect((await change(member.id, 'admin')).status).toBe(200);
      expect(refusal(await change(admin.id, 'owner', member.key))).toBe('403 role_above_own');
      expect((await change(member.id, 'owner', owner.key)).status).toBe(200);
      expect(refusal(await change(newId(), 'viewer'))).toBe('404 user_not_found');
      expect(refusal(await change(service.admin.userId, 'viewer'))).toBe('404 member_not_found');
    });

    it('a member whose role was lowered cannot restore the role through a process with outdated data', async () => {
      const { path, key, teamId } = await newTeam();
      const lowered = await newPerson(service, 'owner', teamId);
      const remembered = await service.app.get(KeyAuthenticator).authenticate(lowered.key, '127.0.0.1');
      await service.patch(`${path}/members/${lowered.id}`, { role: 'viewer' }, { key });
      // `remembered` is the caller with the old role. Another process may still have this caller in its cache.
      const replica = service.app.get(MembersService, { strict: false });
      await expect(replica.change(remembered, teamId, lowered.id, 'owner')).rejects.toMatchObject({
        code: 'own_role_changed',
      });
      for (const email of [`${newId()}@example.com`, (await newPerson(service, 'viewer')).email])
        await expect(replica.invite(remembered, teamId, { email }, 'owner')).rejects.toMatchObject({
          code: 'own_role_changed',
        });
      expect((await members({ path, key })).data.map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
    });

    it('a viewer cannot change or remove team members, but can leave the team', async () => {
      const { path, key, teamId } = await newTeam();
      const [viewer, other] = [
        await newPerson(service, 'viewer', teamId),
        await newPerson(service, 'viewer', teamId),
      ];
      expect(refusal(await service.delete(`${path}/members/${other.id}`, { key: viewer.key }))).toBe(
        '403 missing_scope',
      );
      expect(
        refusal(await service.patch(`${path}/members/${viewer.id}`, { role: 'admin' }, { key: viewer.key })),
      ).toBe('403 missing_scope');
      const reading = await newKeyOf(service, { ...viewer, role: 'viewer' }, { scopes: ['teams:read'] });
      expect(refusal(await service.delete(`${path}/members/${viewer.id}`, { key: reading.secret }))).toBe(
        '403 missing_scope',
      );
      expect((await service.delete(`${path}/members/${viewer.id}`, { key: viewer.key })).status).toBe(204);
      expect((await service.get(path, { key: viewer.key })).status).toBe(401);
      expect((await members({ path, key })).pagination.total).toBe(2);
    });

    it('a team keeps one owner if all owners leave the team concurrently', async () => {
      const first = await newTeam();
      const { path } = first;
      expect(refusal(await service.delete(`${path}/members/${first.id}`, { key: first.key }))).toBe(
        '409 last_owner',
      );
      expect(
        refusal(await service.patch(`${path}/members/${first.id}`, { role: 'admin' }, { key: first.key })),
      ).toBe('409 last_owner');
      const owners = [first];
      for (let count = 0; count < 3; count += 1)
        owners.push({ ...(await newPerson(service, 'owner', first.teamId)), path });
      const answers = await Promise.all(
        owners.map(({ id, key }, index) =>
          index % 2 === 0
            ? service.delete(`${path}/members/${id}`, { key })
            : service.patch(`${path}/members/${id}`, { role: 'viewer' }, { key }),
        ),
      );
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
      const last = answers.findIndex(({ status }) => status === 409);
      const { data } = await members({ path, key: owners[last]?.key ?? '' });
      expect(data.filter(({ role }) => role === 'owner').map(({ user_id }) => user_id)).toEqual([
        owners[last]?.id,
      ]);
    });
  });

  it('of two concurrent demotions of an owner, one responds that the member has changed', async () => {
    const { path, key, teamId } = await newTeam();
    const [owner, other] = [
      await newPerson(service, 'owner', teamId),
      await newPerson(service, 'owner', teamId),
    ];
    const answers = await Promise.all(
      [key, other.key].map((of) =>
        service.patch(`${path}/members/${owner.id}`, { role: 'admin' }, { key: of }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(refusal)).toEqual(['409 member_changed']);
  });

  // The test runs only on PostgreSQL, because SQLite supports only one process.
  it.each(dialect === 'postgres' ? [dialect] : [])(
    'a team keeps one owner if its last two owners leave through different processes at the same time, on %s',
    async () => {
      const { settings } = database;
      const url = settings.dialect === 'postgres' ? settings.url : '';
      const replica = await createApplication(
        readSettings({
          DATABASE_URL: url,
          LOG_LEVEL: 'silent',
          NODE_ENV: 'test',
          DEFAULT_PLAN: 'enterprise',
        }),
      );
      await replica.listen(0, '127.0.0.1');
      const { port } = replica.getHttpServer().address() as AddressInfo;
      const leave = async (base: string, path: string, { id, key }: TestPerson): Promise<number> =>
        (
          await fetch(`${base}${path}/members/${id}`, {
            method: 'DELETE',
            headers: { authorization: `Bearer ${key}` },
          })
        ).status;
      try {
        for (let round = 0; round < 8; round += 1) {
          const first = await newTeam();
          const second = await newPerson(service, 'owner', first.teamId);
          const statuses = await Promise.all([
            leave(service.baseUrl, first.path, first),
            leave(`http://127.0.0.1:${port}`, first.path, second),
          ]);
          expect(statuses.sort()).toEqual([204, 409]);
        }
      } finally {
        await replica.close();
      }
    },
  );

  describe('invitations', () => {
    it('the link of an invitation is returned only once and is not stored in the database', async () => {
      const { path, key } = await newTeam();
      const email = `${newId()}@example.com`;
      const once = { 'idempotency-key': email };
      const first = await add(path, { email, role: 'admin' }, key, once);
      expect(first.body).toMatchObject({ member: null, invitation: { email, role: 'admin' } });
      const token =
        /^https:\/\/flows\.example\.com\/dashboard\/invitation#t=([\w-]{43})$/.exec(
          first.body.invitation?.url ?? '',
        )?.[1] ?? '';
      expect(token).not.toBe('');
      const second = await add(path, { email, role: 'admin' }, key, once);
      const { url: _, ...shown } = first.body.invitation ?? {};
      expect(second.body.invitation).toEqual(shown);
      expect((await invitations({ path, key })).data).toEqual([shown]);
      for (const table of ['idempotency_keys', 'invitations', 'audit_log'])
        expect(
          JSON.stringify(await service.app.get(DataSource).query(`SELECT * FROM ${table}`)),
        ).not.toContain(token);
      const found = await service.app.get(InvitationsService, { strict: false }).findByToken(token);
      expect(found?.id).toBe(first.body.invitation?.id);
    });

    it('a second invitation to an email address replaces the first, and only the second can be revoked', async () => {
      const { path, key } = await newTeam();
      const email = `${newId()}@example.com`;
      const [one, two] = [
        await add(path, { email, role: 'viewer' }, key),
        await add(path, { email, role: 'member' }, key),
      ];
      expect((await invitations({ path, key })).data.map(({ id }) => id)).toEqual([two.body.invitation?.id]);
      const takeBack = (id = ''): Promise<TestAnswer> => service.delete(`${path}/invitations/${id}`, { key });
      expect(refusal(await takeBack(one.body.invitation?.id))).toBe('404 invitation_not_found');
      expect((await takeBack(two.body.invitation?.id)).status).toBe(204);
      expect((await invitations({ path, key })).data).toEqual([]);
    });

    it('an invitation becomes invalid when its sender leaves the team or gets a lower role', async () => {
      const { path, key, teamId } = await newTeam();
      for (const end of ['lowered', 'removed']) {
        const admin = await newPerson(service, 'admin', teamId);
        await add(path, { email: `${newId()}@example.com`, role: 'admin' }, admin.key);
        expect((await invitations({ path, key })).data).toHaveLength(1);
        const target = `${path}/members/${admin.id}`;
        if (end === 'lowered') await service.patch(target, { role: 'member' }, { key });
        else await service.delete(target, { key });
        expect((await invitations({ path, key })).data).toEqual([]);
      }
    });
  });
});
