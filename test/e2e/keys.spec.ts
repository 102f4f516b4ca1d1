import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { KeyCallers } from '../../src/keys/key-caller.js';
import { KeyAdministration } from '../../src/keys/key-administration.service.js';
import { newId } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { KeyAuthenticator } from '../../src/auth/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { newKeyOf, newPerson, type TestPerson } from '../support/people.js';
import { type TestAnswer, TestService } from '../support/service.js';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly project_id: string | null;
  readonly user_id: string;
  readonly allowed_ips: readonly string[] | null;
  readonly environment: string;
  readonly plan: string;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly key: string;
}

interface List {
  readonly data: readonly Key[];
  readonly pagination: { readonly total: number; readonly has_more: boolean; readonly next_cursor?: string };
}

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe.each(await databaseKinds())('keys on $name', ({ create: createDatabase }) => {
  let database: TestDatabase;
  let service: TestService;
  let stranger: { readonly key: string };

  beforeAll(async () => {
    database = await createDatabase();
    service = await TestService.start({
      database: database.settings,
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    stranger = await service.newStranger();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const create = (body: object, key = service.key): Promise<TestAnswer<Key>> =>
    service.post<Key>('/v1/keys', { name: 'test', ...body }, { key });
  const change = (id: string, body: object, key = service.key): Promise<TestAnswer<Key>> =>
    service.patch<Key>(`/v1/keys/${id}`, body, { key });
  const rotate = (id: string, body?: object, key = service.key): Promise<TestAnswer<Key>> =>
    service.post<Key>(`/v1/keys/${id}/rotate`, body, { key });
  const list = async (query = '', key = service.key): Promise<List> =>
    (await service.get<List>(`/v1/keys${query}`, { key })).body;
  const statusWith = async (key: string, path = '/v1/workflows'): Promise<number> =>
    (await service.get(path, { key })).status;
  const refusal = ({ status, error }: TestAnswer<unknown>): string => `${status} ${error?.code ?? ''}`.trim();

  describe('creation', () => {
    it('the response to a new API key has all documented fields, and only this response shows the secret', async () => {
      const { status, headers, body } = await create({ name: ' CI ' });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`/v1/keys/${body.id}`);
      expect(headers.get('cache-control')).toBe('no-store');
      const { key, ...shown } = body;
      expect(key).toMatch(/^wfk_\w{36}$/);
      expect(shown).toEqual({
        id: body.id,
        name: 'CI',
        prefix: key.slice(0, 8),
        last_four: key.slice(-4),
        environment: 'production',
        scopes: ['*'],
        team_id: service.admin.teamId,
        project_id: null,
        user_id: service.admin.userId,
        allowed_ips: null,
        plan: 'enterprise',
        expires_at: null,
        last_used_at: null,
        last_used_ip: null,
        created_at: body.created_at,
      });
      expect((await service.get<Key>(`/v1/keys/${body.id}`)).body).toEqual(shown);
      expect(await statusWith(key)).toBe(200);
    });

    it("the API returns the time and address of a key's last use immediately after a request", async () => {
      const { body } = await create({});
      await service.get('/v1/workflows', { key: body.key, headers: { 'x-forwarded-for': '198.51.100.7' } });
      expect((await service.get(`/v1/keys/${body.id}`)).body).toMatchObject({
        last_used_ip: '198.51.100.7',
        last_used_at: expect.any(String) as string,
      });
    });

    it('a repeated request to create a key returns the key without its secret, and no table contains the secret', async () => {
      const send = (): Promise<TestAnswer<Key>> =>
        service.post<Key>('/v1/keys', { name: 'once' }, { headers: { 'idempotency-key': 'make-once' } });
      const [first, second] = [await send(), await send()];
      const { key, ...shown } = first.body;
      expect(second.body).toEqual(shown);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.headers.get('cache-control')).toBe('no-store');
      const dump = async (table: string): Promise<string> =>
        JSON.stringify(await service.app.get(DataSource).query(`SELECT * FROM ${table}`));
      for (const table of ['idempotency_keys', 'api_keys', 'audit_log']) {
        const text = await dump(table);
        expect(text).toContain(first.body.id);
        expect(text).not.toContain(key);
      }
    });

    it.each([
      [{ name: ' ' }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['everything'] }, 'scopes[0]'],
      [{ scopes: ['workflows:read', 'everything'] }, 'scopes[1]'],
      [{ allowed_ips: ['10.0.0.1', 7] }, 'allowed_ips[1]'],
      [{ scopes: null }, 'scopes'],
      [{ environment: null }, 'environment'],
      [{ environment: 'test' }, 'environment'],
      [{ allowed_ips: ['10.0.0.1', '10.0.0.300'] }, 'allowed_ips[1]'],
      [{ allowed_ips: ['010.0.0.1'] }, 'allowed_ips[0]'],
      [{ allowed_ips: '10.0.0.1' }, 'allowed_ips'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ expires_at: '2999-W01-1' }, 'expires_at'],
      [{ expires_at: '+012345-01-01T00:00:00Z' }, 'expires_at'],
      [{ project_id: 'mine' }, 'project_id'],
      [{ project_id: newId() }, 'project_id'],
      [{ user_id: newId() }, 'user_id'],
      [{ origin: 'exchanged' }, 'origin'],
    ])('the API rejects a new key with the invalid fields %j', async (body, field) => {
      const answer = await create(body);
      expect([answer.status, answer.error.details?.['field']]).toEqual([400, field]);
    });
  });

  describe('limits of the creating key', () => {
    it('a new key has at most the scopes of the key that creates it', async () => {
      const maker = await service.newKey({ scopes: ['keys:write', 'keys:read', 'workflows:read'] });
      const child = await create({}, maker);
      expect(child.body.scopes).toEqual(['keys:write', 'keys:read', 'workflows:read']);
      expect((await create({ scopes: ['workflows:read'] }, maker)).body.scopes).toEqual(['workflows:read']);
      for (const scope of ['*', 'workflows:write', 'audit:read']) {
        const answer = await create({ scopes: ['workflows:read', scope] }, child.body.key);
        expect(refusal(answer)).toBe('403 exceeds_own_rights');
        expect(answer.error.details).toEqual({ required_scope: scope });
      }
      expect(refusal(await create({}, await service.newKey({ scopes: ['keys:read'] })))).toBe(
        '403 missing_scope',
      );
    });

    it('a key that is bound to a project can create keys only for the same project', async () => {
      const other = await service.newProject();
      const maker = await service.newKey({ scopes: ['*'], projectId: service.project.id });
      expect((await create({}, maker)).body.project_id).toBe(service.project.id);
      expect((await create({ project_id: null }, maker)).body.project_id).toBe(service.project.id);
      expect(refusal(await create({ project_id: other.id }, maker))).toBe('403 project_out_of_reach');
      expect((await create({ project_id: other.id.toUpperCase() })).body.project_id).toBe(other.id);
    });

    it("a new key cannot be bound to another team's project", async () => {
      const { project } = await service.newStranger();
      expect(refusal(await create({ project_id: project.id }))).toBe('403 project_out_of_reach');
    });

    it('a new key expires no later than the key that creates it', async () => {
      const end = inDays(1);
      const maker = (await create({ expires_at: end })).body.key;
      expect((await create({}, maker)).body.expires_at).toBe(end);
      expect(refusal(await create({ expires_at: null }, maker))).toBe('403 exceeds_own_rights');
      expect(refusal(await create({ expires_at: inDays(2) }, maker))).toBe('403 exceeds_own_rights');
      expect((await create({ expires_at: inDays(0.5) }, maker)).status).toBe(201);
    });

    it('a new key allows only IP addresses that the creating key allows', async () => {
      const maker = (await create({ allowed_ips: ['127.0.0.0/8', '2001:db8::/32'] })).body.key;
      expect((await create({}, maker)).body.allowed_ips).toEqual(['127.0.0.0/8', '2001:db8::/32']);
      for (const allowed_ips of [
        null,
        [],
        ['0.0.0.0/0'],
        ['127.0.0.0/4'],
        ['127.0.0.1', '10.0.0.1'],
        ['::ffff:0.0.0.0/96'],
        ['::/0'],
      ])
        expect(refusal(await create({ allowed_ips }, maker))).toBe('403 exceeds_own_rights');
      for (const allowed_ips of [['127.0.0.1'], ['::ffff:127.0.0.0/104'], ['2001:db8:1::/48']])
        expect((await create({ allowed_ips }, maker)).status).toBe(201);
    });

    it('a key loses its write scopes immediately when its owner becomes a viewer', async () => {
      const person = await newPerson(service, 'member');
      const child = (await create({}, person.key)).body.key;
      const write = (key: string): Promise<TestAnswer> =>
        service.post('/v1/workflows', { name: 'x' }, { key });
      expect((await write(child)).status).toBe(201);
      const members = `/v1/teams/${service.admin.teamId}/members`;
      expect((await service.patch(`${members}/${person.id}`, { role: 'viewer' })).status).toBe(200);
      for (const key of [person.key, child]) {
        expect(refusal(await write(key))).toBe('403 missing_scope');
        expect(refusal(await create({}, key))).toBe('403 missing_scope');
        expect(await statusWith(key)).toBe(200);
      }
    });

    it("the API rejects a new key with a scope that the creator's role does not grant", async () => {
      const { key } = await newPerson(service, 'member');
      expect(refusal(await create({ scopes: ['audit:read'] }, key))).toBe('403 exceeds_own_rights');
      expect(refusal(await create({ scopes: ['teams:write'] }, key))).toBe('403 exceeds_own_rights');
    });

    it('a request to create a key fails if the calling key is deleted during the request', async () => {
      const { id, secret } = await newKeyOf(service, adminPerson(service));
      const principal = await service.app.get(KeyAuthenticator).authenticate(secret, '127.0.0.1');
      const { guards } = await service.app.get(KeyCallers, { strict: false }).of(principal);
      await service.delete(`/v1/keys/${id}`);
      // `principal` and `guards` were read before the deletion, as in a process that has not noticed the deletion yet.
      const keys = service.app.get(KeyAdministration, { strict: false });
      await expect(keys.create(principal, { name: 'left' })).rejects.toMatchObject({
        code: 'invalid_key',
      });
      await expect(service.app.get(Writer).commit({ writes: guards })).rejects.toMatchObject({
        code: 'key_changed',
      });
    });
  });

  describe('changes', () => {
    it('changing an API key changes only the given fields', async () => {
      const { body } = await create({
        scopes: ['workflows:read', 'workflows:write'],
        allowed_ips: ['127.0.0.1'],
      });
      const changed = await change(body.id, {
        name: 'new',
        scopes: ['workflows:read'],
        environment: 'staging',
      });
      expect(changed.body).toMatchObject({
        name: 'new',
        scopes: ['workflows:read'],
        environment: 'staging',
        allowed_ips: ['127.0.0.1'],
      });
      expect(changed.body).not.toHaveProperty('key');
      expect(refusal(await service.post('/v1/workflows', { name: 'x' }, { key: body.key }))).toBe(
        '403 missing_scope',
      );
      expect((await change(body.id, { allowed_ips: null, expires_at: inDays(1) })).body).toMatchObject({
        allowed_ips: null,
        expires_at: expect.any(String) as string,
      });
    });

    it("a caller can restrict another key, but cannot grant rights that the caller's own key lacks", async () => {
      const lesser = await service.newKey({ scopes: ['keys:write', 'keys:read'] });
      const { body: strong } = await create({ expires_at: inDays(1), allowed_ips: ['127.0.0.1'] });
      expect((await change(strong.id, { name: 'renamed' }, lesser)).status).toBe(200);
      for (const wider of [{ expires_at: null }, { expires_at: inDays(2) }, { allowed_ips: null }])
        expect(refusal(await change(strong.id, wider, lesser))).toBe('403 exceeds_own_rights');
      expect((await change(strong.id, { scopes: ['workflows:read'] }, lesser)).status).toBe(200);
      expect(refusal(await change(strong.id, { scopes: ['*'] }, lesser))).toBe('403 exceeds_own_rights');
      expect((await change(strong.id, { scopes: ['*'], expires_at: null })).status).toBe(200);
    });

    it('a key cannot extend its own rights', async () => {
      const { body } = await create({
        scopes: ['keys:write'],
        project_id: service.project.id,
        allowed_ips: ['127.0.0.1'],
        expires_at: inDays(1),
      });
      for (const wider of [
        { scopes: ['*'] },
        { scopes: ['keys:write', 'keys:read'] },
        { project_id: null },
        { project_id: (await service.newProject()).id },
        { allowed_ips: [] },
        { allowed_ips: ['127.0.0.0/31'] },
        { expires_at: null },
      ])
        expect(refusal(await change(body.id, wider, body.key))).toBe('403 exceeds_own_rights');
    });

    it('an admin can restrict the key of another user, but can neither extend nor rotate the key', async () => {
      const person = await newPerson(service, 'owner');
      const admin = await newPerson(service, 'admin');
      const { id } = await newKeyOf(service, { ...person, role: 'owner' }, { scopes: ['workflows:read'] });
      expect(refusal(await change(id, { scopes: ['teams:write'] }, admin.key))).toBe('403 not_key_owner');
      expect(refusal(await rotate(id, {}, admin.key))).toBe('403 not_key_owner');
      expect((await change(id, { expires_at: inDays(1) }, admin.key)).status).toBe(200);
      expect(refusal(await change(id, { expires_at: null }, admin.key))).toBe('403 not_key_owner');
    });
  });

  describe('rotation', () => {
    it('rotating a key without overlap returns a key with the same scopes and immediately expires the old key', async () => {
      const { body: old } = await create({
        scopes: ['workflows:read', 'keys:write'],
        environment: 'staging',
      });
      const { status, headers, body } = await rotate(old.id);
      expect(status).toBe(201);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toMatchObject({ name: old.name, scopes: old.scopes, environment: 'staging' });
      expect(body.id).not.toBe(old.id);
      expect(await statusWith(body.key)).toBe(200);
      expect(refusal(await service.get('/v1/workflows', { key: old.key }))).toBe('401 expired_key');
    });

    it('a key can rotate itself, and the new key has the same expiry time', async () => {
      const { body: old } = await create({ scopes: ['keys:write', 'workflows:read'], expires_at: inDays(1) });
      const { body } = await rotate(old.id, { overlap_seconds: 0 }, old.key);
      expect(body.expires_at).toBe(old.expires_at);
      expect(await statusWith(old.key)).toBe(401);
      expect(await statusWith(body.key)).toBe(200);
    });

    it('after a rotation, the old key stays valid until the overlap ends', async () => {
      const { body: old } = await create({});
      const { body } = await rotate(old.id, { overlap_seconds: 3600 });
      expect(await statusWith(old.key)).toBe(200);
      expect(await statusWith(body.key)).toBe(200);
      const end = Date.parse((await service.get<Key>(`/v1/keys/${old.id}`)).body.expires_at ?? '');
      expect(end).toBe(Date.parse(body.created_at) + 3_600_000);
      expect(refusal(await rotate(old.id))).toBe('409 key_replaced');
      expect(refusal(await change(old.id, { expires_at: null }))).toBe('409 key_replaced');
      expect((await change(old.id, { expires_at: inDays(0.01) })).status).toBe(200);
    });

    it('the overlap of a rotation does not extend the expiry of the old key', async () => {
      const end = new Date(Date.now() + 60_000).toISOString();
      const { body: old } = await create({ expires_at: end });
      const { body } = await rotate(old.id, { overlap_seconds: 604_800 });
      expect((await service.get<Key>(`/v1/keys/${old.id}`)).body.expires_at).toBe(end);
      // The new key has the same lifetime as the old key, starting at the rotation.
      expect(Date.parse(body.expires_at ?? '')).toBeGreaterThanOrEqual(Date.parse(end));
    });

    it('a key cannot rotate another key that has more rights', async () => {
      const { body: strong } = await create({});
      const lesser = await service.newKey({ scopes: ['keys:write', 'keys:read'] });
      expect(refusal(await rotate(strong.id, {}, lesser))).toBe('403 exceeds_own_rights');
      expect(await statusWith(strong.key)).toBe(200);
    });

    it('only one of several concurrent rotations of a key succeeds', async () => {
      const { body: old } = await create({});
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => rotate(old.id, { overlap_seconds: 60 })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
      const alive = (await list('?limit=100')).data.filter(
        ({ name, created_at }) => name === old.name && created_at > old.created_at,
      );
      expect(alive).toHaveLength(1);
    });

    it('a repeated request to rotate a key returns the same new key without its secret', async () => {
      const { body: old } = await create({});
      const send = (): Promise<TestAnswer<Key>> =>
        service.post<Key>(
          `/v1/keys/${old.id}/rotate`,
          {},
          { headers: { 'idempotency-key': `rotate-${old.id}` } },
        );
      const { key, ...shown } = (await send()).body;
      expect((await send()).body).toEqual(shown);
      expect(await statusWith(key)).toBe(200);
    });

    it.each([-1, 604_801, 1.5, '60'])(
      'the API rejects the rotation of a key with the invalid overlap of %j seconds',
      async (overlap_seconds) => {
        const { body } = await create({});
        expect((await rotate(body.id, { overlap_seconds })).error.details?.['field']).toBe('overlap_seconds');
      },
    );
  });

  describe('access to keys', () => {
    let person: TestPerson;
    let mate: TestPerson;

    beforeAll(async () => {
      person = await newPerson(service, 'member');
      mate = await newPerson(service, 'member');
    });

    it('members can list only their own keys, and admins can list all keys of the team', async () => {
      const own = await list('', person.key);
      expect(own.data.map(({ user_id }) => user_id)).toEqual([person.id]);
      expect(refusal(await service.get(`/v1/keys?user_id=${mate.id}`, { key: person.key }))).toBe(
        '403 keys_of_others',
      );
      expect((await list(`?user_id=${mate.id}`)).data.map(({ id }) => id)).toEqual([mate.keyId]);
      expect((await list(`?user_id=${mate.id}`, stranger.key)).data).toEqual([]);
    });

    it('the API lists keys by environment and project, page by page', async () => {
      const project = await service.newProject();
      for (const environment of ['staging', 'staging', 'development'])
        await create({ environment, project_id: project.id });
      const query = `?project_id=${project.id}&environment=staging&limit=1`;
      const first = await list(query);
      expect(first.pagination).toMatchObject({ total: 2, has_more: true });
      const second = await list(`${query}&cursor=${first.pagination.next_cursor}`);
      expect(second.pagination.has_more).toBe(false);
      expect(first.data[0]?.id).not.toBe(second.data[0]?.id);
      const bound = await service.newKey({ scopes: ['*'], projectId: project.id });
      expect(
        (await list('?limit=100', bound)).data.every(({ project_id }) => project_id === project.id),
      ).toBe(true);
      expect(refusal(await service.get(`/v1/keys?project_id=${service.project.id}`, { key: bound }))).toBe(
        '403 project_out_of_reach',
      );
    });

    it.each(['GET', 'PATCH', 'DELETE', 'rotate'])(
      'the request %s for an API key gets 404 if the id is unknown, 403 without access, and 400 if the id is malformed',
      async (verb) => {
        const send = (id: string, key: string): Promise<TestAnswer> =>
          verb === 'rotate'
            ? service.post(`/v1/keys/${id}/rotate`, {}, { key })
            : service.request(verb, `/v1/keys/${id}`, { key, ...(verb === 'PATCH' ? { body: {} } : {}) });
        expect(refusal(await send(newId(), service.key))).toBe('404 key_not_found');
        expect(refusal(await send(mate.keyId, person.key))).toBe('403 key_out_of_reach');
        expect(refusal(await send(mate.keyId, stranger.key))).toBe('403 key_out_of_reach');
        expect((await send('1', service.key)).status).toBe(400);
        const bound = await service.newKey({ scopes: ['*'], projectId: service.project.id });
        expect(refusal(await send(service.admin.keyId ?? '', bound))).toBe('403 key_out_of_reach');
      },
    );

    it('the API responds 401 to a deleted key, and 404 to requests for the id of the key', async () => {
      const { body } = await create({}, person.key);
      expect(await statusWith(body.key)).toBe(200);
      expect((await service.delete(`/v1/keys/${body.id}`, { key: person.key })).status).toBe(204);
      expect(await statusWith(body.key)).toBe(401);
      expect(refusal(await service.get(`/v1/keys/${body.id}`))).toBe('404 key_not_found');
      expect(refusal(await service.delete(`/v1/keys/${body.id}`))).toBe('404 key_not_found');
    });

    it('the keys of a removed team member stay revoked after the member is invited again', async () => {
      const leaver = await newPerson(service, 'member');
      const members = `/v1/teams/${service.admin.teamId}/members`;
      expect((await service.delete(`${members}/${leaver.id}`)).status).toBe(204);
      expect(await statusWith(leaver.key)).toBe(401);
      expect((await service.post(members, { email: leaver.email, role: 'viewer' })).status).toBe(201);
      expect(await statusWith(leaver.key)).toBe(401);
    });
  });
});

function adminPerson({ admin }: TestService): { id: string; teamId: string; role: 'owner' } {
  return { id: admin.userId, teamId: admin.teamId, role: 'owner' };
}
