import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/index.js';
import { joinTeam, newKeyOf, newPerson, type TestPerson } from '../support/people.js';
import { type TestAnswer, TestService } from '../support/service.js';

interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly api_key_restrictions?: { readonly allowed_ips: readonly string[] | null };
}

const from = (address: string): { readonly headers: Readonly<Record<string, string>> } => ({
  headers: { 'x-forwarded-for': address },
});

describe('users', () => {
  let service: TestService;
  let person: TestPerson;

  beforeAll(async () => {
    service = await TestService.start({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    person = await newPerson(service, 'member');
  });
  afterAll(() => service.stop());

  const refusal = ({ status, error }: TestAnswer<unknown>): string => `${status} ${error?.code ?? ''}`.trim();
  const restrict = (id: string, allowed_ips: unknown, key: string, query = ''): Promise<TestAnswer<User>> =>
    service.patch<User>(`/v1/users/${id}${query}`, { api_key_restrictions: { allowed_ips } }, { key });

  it('GET /v1/users/me returns the user of the API key and the scopes of the key', async () => {
    const { secret, id } = await newKeyOf(
      service,
      { ...person, role: 'member' },
      { scopes: ['users:read', 'workflows:read'], projectId: service.project.id },
    );
    const { body } = await service.get('/v1/users/me', { key: secret, ...from('198.51.100.9') });
    expect(body).toEqual({
      preferences: { page_size: 20, time_zone: 'local' },
      id: person.id,
      email: person.email,
      name: person.email.split('@')[0],
      api_key_restrictions: { allowed_ips: null },
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
      teams: [{ id: person.teamId, name: 'Default team', role: 'member' }],
      team_id: person.teamId,
      project_id: service.project.id,
      key_id: id,
      scopes: ['workflows:read', 'users:read'],
      address: '198.51.100.9',
    });
    const { body: all } = await service.get<{ scopes: readonly string[] }>('/v1/users/me', {
      key: person.key,
    });
    expect(all.scopes).toContain('workflows:write');
    expect(all.scopes).not.toContain('audit:read');
  });

  it('a team member can read other members, but only an admin can read their IP address lists', async () => {
    const path = `/v1/users/${person.id}`;
    const mate = await newPerson(service, 'member');
    expect((await service.get<User>(path, { key: mate.key })).body).toMatchObject({ email: person.email });
    expect((await service.get<User>(path, { key: mate.key })).body).not.toHaveProperty(
      'api_key_restrictions',
    );
    expect((await service.get<User>(path)).body).toHaveProperty('api_key_restrictions');
    const { key } = await service.newStranger();
    expect(refusal(await service.get(path, { key }))).toBe('403 user_out_of_reach');
    expect(refusal(await service.get(`/v1/users/${newId()}`))).toBe('404 user_not_found');
    expect((await service.get('/v1/users/nobody')).status).toBe(400);
    expect((await service.patch('/v1/users/nobody', {})).status).toBe(400);
  });

  it.each(['PATCH', 'PUT'])('%s /v1/users/{id} changes only the given fields of a user', async (method) => {
    const { key, id } = await newPerson(service, 'viewer');
    const send = (body: object, path = 'me'): Promise<TestAnswer<User>> =>
      service.request<User>(method, `/v1/users/${path}`, { body, key });
    expect(
      (await send({ name: ' Ada ', api_key_restrictions: { allowed_ips: ['127.0.0.1'] } })).body,
    ).toMatchObject({
      name: 'Ada',
      api_key_restrictions: { allowed_ips: ['127.0.0.1'] },
    });
    expect((await send({ name: 'Ada L.' }, id)).body).toMatchObject({
      name: 'Ada L.',
      api_key_restrictions: { allowed_ips: ['127.0.0.1'] },
    });
    expect((await send({ api_key_restrictions: null })).body.api_key_restrictions).toEqual({
      allowed_ips: null,
    });
    for (const body of [{ name: ' ' }, { api_key_restrictions: {} }, { role: 'owner' }])
      expect((await send(body)).status).toBe(400);
    // PUT ignores read-only fields, so that a client can send back what GET returned.
    expect((await send({ email: 'a@b.c' })).status).toBe(method === 'PUT' ? 200 : 400);
    expect((await service.get<User>('/v1/users/me', { key })).body).not.toMatchObject({ email: 'a@b.c' });
  });

  it('the IP address list of a user immediately restricts every API key of the user', async () => {
    const one = await newPerson(service, 'member');
    const { secret } = await newKeyOf(
      service,
      { ...one, role: 'member' },
      { allowedIps: ['203.0.113.0/24', '10.0.0.0/8'] },
    );
    const list = ['203.0.113.0/25', '2001:db8::/32', '::ffff:198.51.100.7', '127.0.0.1'];
    expect((await restrict('me', list, one.key)).status).toBe(200);
    const use = async (key: string, address: string): Promise<number> =>
      (await service.get('/v1/workflows', { key, ...from(address) })).status;
    for (const address of ['203.0.113.127', '2001:db8::5', '198.51.100.7', '::ffff:203.0.113.1'])
      expect(await use(one.key, address)).toBe(200);
    for (const address of ['203.0.113.128', '2001:db9::5', '198.51.100.8'])
      expect(await use(one.key, address)).toBe(403);
    // An IP address must be in the address list of the user and in the list of the key.
    expect(await use(secret, '203.0.113.5')).toBe(200);
    for (const address of ['203.0.113.200', '2001:db8::5', '10.0.0.1'])
      expect(await use(secret, address)).toBe(403);
    for (const none of [null, []]) {
      await restrict('me', list, one.key);
      expect((await restrict('me', none, one.key)).body.api_key_restrictions).toEqual({ allowed_ips: null });
      expect(await use(one.key, '192.0.2.1')).toBe(200);
    }
  });

  it.each([
    [['10.0.0.1', 'home'], 'api_key_restrictions.allowed_ips[1]'],
    [['10.0.0.0/33'], 'api_key_restrictions.allowed_ips[0]'],
    [['0x7f.1'], 'api_key_restrictions.allowed_ips[0]'],
    [['fe80::1%eth0'], 'api_key_restrictions.allowed_ips[0]'],
    [['10.0.0.1', 7], 'api_key_restrictions.allowed_ips[1]'],
    ['10.0.0.1', 'api_key_restrictions.allowed_ips'],
    [Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`), 'api_key_restrictions.allowed_ips'],
  ])('the service rejects the invalid IP address list %j', async (list, field) => {
    const answer = await restrict('me', list, person.key);
    expect([answer.status, answer.error.details?.['field']]).toEqual([400, field]);
  });

  it('PUT /v1/users/{id} accepts a user exactly as GET returned the user', async () => {
    for (const id of ['me', person.id]) {
      const read = await service.get(`/v1/users/${id}`, { key: person.key });
      const replaced = await service.request('PUT', `/v1/users/${id}`, { body: read.body, key: person.key });
      const { id: own, name, email } = read.body;
      expect([replaced.status, replaced.body]).toMatchObject([200, { id: own, name, email }]);
    }
  });

  it('the error about an invalid IP address list names every invalid entry of the list', async () => {
    const { error } = await restrict('me', ['a', '10.0.0.1', 'b'], person.key);
    expect(error.details?.['errors']).toMatchObject([
      { field: 'api_key_restrictions.allowed_ips[0]' },
      { field: 'api_key_restrictions.allowed_ips[2]' },
    ]);
  });

  it('the service rejects an IP address list that excludes the caller, unless ?force=true is set', async () => {
    const one = await newPerson(service, 'member');
    expect(refusal(await restrict('me', ['203.0.113.0/24'], one.key))).toBe('409 would_lock_out_caller');
    expect((await service.get('/v1/workflows', { key: one.key })).status).toBe(200);
    expect(refusal(await restrict('me', ['203.0.113.0/24'], one.key, '?force=false'))).toBe(
      '409 would_lock_out_caller',
    );
    expect((await restrict('me', ['203.0.113.0/24'], one.key, '?force=true')).status).toBe(200);
    expect(refusal(await service.get('/v1/workflows', { key: one.key }))).toBe('403 address_not_allowed');
    // The address list of a user does not restrict keys of an admin, so an admin can restore access.
    expect((await restrict(one.id, ['198.51.100.0/24'], service.key)).status).toBe(200);
    expect((await restrict(one.id, null, service.key)).status).toBe(200);
    expect((await service.get('/v1/workflows', { key: one.key })).status).toBe(200);
  });

  it('an admin can change the IP address list of a member, but not of an owner', async () => {
    const [admin, owner, mate] = [
      await newPerson(service, 'admin'),
      await newPerson(service, 'owner'),
      await newPerson(service, 'member'),
    ];
    expect(refusal(await restrict(person.id, null, mate.key))).toBe('403 user_not_yours');
    expect(refusal(await restrict(owner.id, ['203.0.113.1'], admin.key))).toBe('403 user_not_yours');
    expect((await restrict(person.id, ['127.0.0.1'], admin.key)).status).toBe(200);
    expect((await restrict(person.id, null, admin.key)).status).toBe(200);
    const narrow = await newKeyOf(service, { ...mate, role: 'member' }, { scopes: ['users:read'] });
    expect(refusal(await restrict('me', null, narrow.secret))).toBe('403 missing_scope');
    const bound = await newKeyOf(service, { ...mate, role: 'member' }, { projectId: service.project.id });
    expect(refusal(await restrict('me', null, bound.secret))).toBe('403 project_bound_key');
  });

  it('an admin who invites a user of another team cannot change the IP address list of that user', async () => {
    const victim = await newPerson(service, 'member');
    expect((await restrict('me', ['127.0.0.1'], victim.key)).status).toBe(200);
    const { key, project } = await service.newStranger();
    const members = `/v1/teams/${project.teamId}/members`;
    expect((await service.post(members, { email: victim.email, role: 'viewer' }, { key })).status).toBe(201);
    expect(refusal(await restrict(victim.id, null, key))).toBe('403 user_out_of_reach');
    expect(refusal(await service.get(`/v1/users/${victim.id}`, { key }))).toBe('403 user_out_of_reach');
    await joinTeam(service, victim.id, project.teamId, 'viewer');
    expect(refusal(await restrict(victim.id, null, key))).toBe('403 user_not_yours');
    const seen = await service.get<User>(`/v1/users/${victim.id}`, { key });
    expect(seen.body).not.toHaveProperty('api_key_restrictions');
  });

  it('the preview of an IP address list names recent key uses that the list would block', async () => {
    const one = await newPerson(service, 'member');
    const other = await newKeyOf(service, { ...one, role: 'member' }, { name: 'cron' });
    await service.get('/v1/workflows', { key: other.secret, ...from('198.51.100.4') });
    const preview = (list: string): Promise<TestAnswer<object>> =>
      service.get<object>(`/v1/users/me/restrictions/preview?allowed_ips=${encodeURIComponent(list)}`, {
        key: one.key,
        ...from('203.0.113.5'),
      });
    const cron = { key_id: other.id, key_name: 'cron', address: '198.51.100.4' };
    expect((await preview('203.0.113.0/24, 2001:db8::/32')).body).toMatchObject({
      address: '203.0.113.5',
      would_lock_out_caller: false,
      blocked: [cron],
      allowed: [{ key_id: one.keyId, address: '203.0.113.5' }],
    });
    expect((await preview('198.51.100.0/24')).body).toMatchObject({
      would_lock_out_caller: true,
      allowed: [cron],
    });
    expect((await preview('')).body).toMatchObject({ would_lock_out_caller: false, blocked: [] });
    const bad = await preview('203.0.113.5,nonsense');
    expect([bad.status, bad.error.details?.['field']]).toEqual([400, 'allowed_ips[1]']);
    expect((await service.get('/v1/users/me/restrictions/preview', { key: one.key })).status).toBe(400);
  });
});
