import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { AccessWorld } from '../support/access-world.js';
import { newKeyOf, newPerson } from '../support/people.js';
import { sendRaw } from '../support/raw-http.js';
import type { TestAnswer, TestService } from '../support/service.js';
import { SocketClient } from '../support/socket-client.js';

interface List {
  readonly data: readonly JsonObject[];
}

let world: AccessWorld;
let service: TestService;

beforeAll(async () => {
  world = await AccessWorld.start();
  service = world.service;
});
afterEach(() => SocketClient.cutAll());
afterAll(() => world.stop());

function short({ status, error }: TestAnswer<unknown>): string {
  return `${status} ${error?.code ?? ''}`.trim();
}

/** Sends the requests. @returns the status and error code of each response, by the name of the request */
async function answersTo(
  calls: Readonly<Record<string, () => Promise<TestAnswer<unknown>>>>,
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) answers[name] = short(await call());
  return answers;
}

async function statusOf(path: string, key: string): Promise<number> {
  return (await service.get(path, { key })).status;
}

/** Opens a stream of server-sent events. */
async function stream(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const response = await fetch(service.baseUrl + path, {
    headers: { accept: 'text/event-stream', ...headers },
  });
  expect(response.status).toBe(200);
  return response;
}

describe('chained API keys', () => {
  it('a new API key never has more rights than the API key that created it', async () => {
    const owner = { id: service.admin.userId, teamId: service.admin.teamId, role: 'owner' } as const;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const limits = {
      scopes: ['keys:read', 'keys:write', 'workflows:read'],
      project_id: service.project.id,
      allowed_ips: ['127.0.0.0/8'],
      expires_at: inAnHour,
    };
    const first = await service.post<JsonObject & { id: string; key: string }>('/v1/keys', {
      name: '1',
      ...limits,
    });
    const second = await service.post<JsonObject & { id: string; key: string }>(
      '/v1/keys',
      { name: '2' },
      { key: first.body.key },
    );
    expect(second.body).toMatchObject(limits);
    const { key, id } = second.body;
    const wide = await newKeyOf(service, owner);
    const make = (body: object) => () => service.post('/v1/keys', { name: '3', ...body }, { key });
    const turn =
      (body: object, of = id) =>
      () =>
        service.patch(`/v1/keys/${of}`, body, { key });
    const refused = await answersTo({
      'another scope': make({ scopes: ['workflows:write'] }),
      'every scope': make({ scopes: ['*'] }),
      'no project': make({ project_id: null, scopes: ['*'] }),
      'the whole internet': make({ allowed_ips: ['0.0.0.0/0'] }),
      'any address': make({ allowed_ips: null }),
      'a wider range': make({ allowed_ips: ['126.0.0.0/7'] }),
      'the range in another spelling': make({ allowed_ips: ['::ffff:0.0.0.0/96'] }),
      'no end': make({ expires_at: null }),
      'a later end': make({ expires_at: new Date(Date.now() + 7_200_000).toISOString() }),
      'itself with another scope': turn({ scopes: ['*'] }),
      'itself without project': turn({ project_id: null }),
      'itself from anywhere': turn({ allowed_ips: null }),
      'itself for ever': turn({ expires_at: null }),
      'its maker for ever': turn({ expires_at: null }, first.body.id),
      'a wider key renamed': turn({ name: 'mine' }, wide.id),
      'a wider key rotated': () => service.post(`/v1/keys/${wide.id}/rotate`, {}, { key }),
    });
    expect(Object.entries(refused).filter(([, answer]) => !answer.startsWith('403'))).toEqual([]);
    const rotated = await service.post<JsonObject>(`/v1/keys/${id}/rotate`, {}, { key });
    expect(rotated.body).toMatchObject({ ...limits, expires_at: expect.any(String) });
    expect(String(rotated.body['expires_at']) <= inAnHour).toBe(true);
  });

  it('an API key cannot rotate a key with a higher rate-limit plan', async () => {
    const make = async (plan: string) =>
      (await service.post<{ id: string; key: string }>('/v1/keys', { name: plan, plan })).body;
    const [free, pro] = [await make('free'), await make('pro')];
    const refused = await service.post(`/v1/keys/${pro.id}/rotate`, {}, { key: free.key });
    expect([refused.status, refused.error.code]).toEqual([403, 'exceeds_own_rights']);
    expect((await service.post(`/v1/keys/${free.id}/rotate`, {}, { key: pro.key })).status).toBe(201);
  });

  it('an API key is revoked when its owner leaves the team, and remains revoked after the owner rejoins', async () => {
    const person = await newPerson(service, 'admin');
    const made = await service.post<{ id: string; key: string }>(
      '/v1/keys',
      { name: 'kept' },
      { key: person.key },
    );
    const member = `/v1/teams/${person.teamId}/members`;
    expect((await service.delete(`${member}/${person.id}`)).status).toBe(204);
    const keys = [person.key, made.body.key];
    for (const key of keys) expect(await statusOf('/v1/users/me', key)).toBe(401);
    expect((await service.post(member, { email: person.email, role: 'owner' })).status).toBe(201);
    for (const key of keys) expect(await statusOf('/v1/users/me', key)).toBe(401);
  });

  it('when the role of a user is lowered, all API keys of the user lose rights at once, even keys created concurrently', async () => {
    const person = await newPerson(service, 'admin');
    const answers = Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.post<{ key: string }>('/v1/keys', { name: `k${index}`, scopes: ['*'] }, { key: person.key }),
      ),
    );
    const member = `/v1/teams/${person.teamId}/members/${person.id}`;
    expect((await service.patch(member, { role: 'viewer' })).status).toBe(200);
    expect(short(await service.post('/v1/keys', { name: 'late' }, { key: person.key }))).toBe(
      '403 missing_scope',
    );
    for (const { status, body } of await answers)
      if (status === 201) {
        const own = { key: body.key };
        expect(short(await service.post('/v1/workflows', { name: 'x' }, own))).toBe('403 missing_scope');
        expect(short(await service.patch(member, { role: 'owner' }, own))).toBe('403 missing_scope');
      }
  });

  it('of several concurrent rotations of an API key, exactly one creates a new key and revokes the old key', async () => {
    const person = await newPerson(service, 'member');
    const uses: number[] = [];
    const rotations = await Promise.all([
      ...[1, 2, 3].map(() =>
        service.post<{ key: string }>(`/v1/keys/${person.keyId}/rotate`, {}, { key: person.key }),
      ),
      ...Array.from({ length: 20 }, async () => {
        uses.push(await statusOf('/v1/users/me', person.key));
        return undefined;
      }),
    ]);
    const made = rotations.flatMap((answer) => (answer?.status === 201 ? [answer.body.key] : []));
    expect(made).toHaveLength(1);
    expect(uses.every((status) => status === 200 || status === 401)).toBe(true);
    expect(await statusOf('/v1/users/me', person.key)).toBe(401);
    expect(await statusOf('/v1/users/me', made[0] ?? '')).toBe(200);
  });
});

describe('resources of another team', () => {
  it("the service rejects a request that refers to resources of the caller's team and of another team", async () => {
    const key = world.foreignKey;
    const me = (await service.get<{ id: string; team: JsonObject }>('/v1/users/me', { key })).body;
    const own = String((await service.get<List>('/v1/teams', { key })).body.data[0]?.['id']);
    const keys = String((await service.get<List>('/v1/keys', { key })).body.data[0]?.['id']);
    const workflow = (await service.post('/v1/workflows', { name: 'Theirs' }, { key })).body.id;
    const { belongings: b } = world;
    const answers = await answersTo({
      'a member under the own team': () =>
        service.patch(`/v1/teams/${own}/members/${b['users']}`, { role: 'viewer' }, { key }),
      'a member removed under the own team': () =>
        service.delete(`/v1/teams/${own}/members/${b['users']}`, { key }),
      'an invitation under the own team': () =>
        service.delete(`/v1/teams/${own}/invitations/${b['invitations']}`, { key }),
      'a member taken by id': () =>
        service.post(`/v1/teams/${own}/members`, { user_id: b['users'], role: 'viewer' }, { key }),
      'the own key in a foreign project': () =>
        service.patch(`/v1/keys/${keys}`, { project_id: b['projects'] }, { key }),
      'an own start in a foreign session': () =>
        service.post(`/v1/workflows/${workflow}/executions`, { session_id: b['sessions'] }, { key }),
      'keys of a foreign project': () => service.get(`/v1/keys?project_id=${b['projects']}`, { key }),
      'an own workflow moved': () =>
        service.patch(`/v1/workflows/${workflow}`, { project_id: b['projects'] }, { key }),
    });
    expect(answers).toEqual({
      'a member under the own team': '404 member_not_found',
      'a member removed under the own team': '404 member_not_found',
      'an invitation under the own team': '404 invitation_not_found',
      'a member taken by id': '403 user_out_of_reach',
      'the own key in a foreign project': '403 project_out_of_reach',
      'an own start in a foreign session': '403 project_out_of_reach',
      'keys of a foreign project': '403 project_out_of_reach',
      'an own workflow moved': '400 invalid_request',
    });
    expect(me.id).not.toBe(service.admin.userId);
  });

  it('a socket receives no events of another team, even if the client sends a cursor and ids of that team', async () => {
    const host = new URL(service.baseUrl).host;
    const { body: page } = await service.get<{ pagination: { next_cursor: string } }>('/v1/events');
    const client = await SocketClient.authenticated(host, world.foreignKey, page.pagination.next_cursor);
    const filters = ['execution', 'workflow', 'session'].map((noun) => ({
      [`${noun}_id`]: world.belongings[`${noun}s`],
    }));
    for (const [index, filter] of filters.entries()) {
      client.send({ type: 'subscribe', id: `s${index}`, filter });
      await client.until(() => client.received.filter(({ type }) => type === 'error').length === index + 1);
    }
    await service.post(`/v1/workflows/${world.belongings['workflows']}/executions?wait=60`, {});
    client.send({ type: 'ping' });
    await client.next('pong');
    expect(client.events).toEqual([]);
    expect(client.received.filter(({ type }) => type === 'subscribed')).toEqual([]);
    expect(
      (await service.get<List>('/v1/events', { key: world.foreignKey })).body.data.filter(
        ({ project_id }) => project_id === service.project.id,
      ),
    ).toEqual([]);
  });

  it('an API key with only the scope sessions:read cannot read the events of a session', async () => {
    const path = `/v1/sessions/${world.belongings['sessions']}/events`;
    const key = await service.newKey({ scopes: ['sessions:read'] });
    expect(short(await service.get(path, { key }))).toBe('403 missing_scope');
    const reader = await service.newKey({ scopes: ['events:read'] });
    expect((await service.get<List>(path, { key: reader })).body.data.length).toBeGreaterThan(0);
  });

  it('the service replays no response if the same Idempotency-Key comes from another API key or another team of the user', async () => {
    const project = await service.newProject();
    const headers = { 'idempotency-key': newId() };
    const body = { name: 'Once' };
    const first = await service.post('/v1/workflows', body, { headers });
    const again = await service.post('/v1/workflows', body, { headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.id).toBe(first.body.id);
    for (const key of [world.foreignKey, world.boundKey, await service.newKey({ projectId: project.id })]) {
      const other = await service.post('/v1/workflows', body, { headers, key });
      expect(other.headers.get('idempotent-replayed')).toBeNull();
      expect(other.body.id).not.toBe(first.body.id);
    }
    const { cookie, token } = await world.signedIn();
    const page = {
      key: null,
      headers: { ...headers, cookie, origin: service.baseUrl, 'x-csrf-token': token },
    };
    const here = await service.post('/v1/workflows', body, page);
    const team = await service.post(
      '/v1/teams',
      { name: 'Elsewhere' },
      { ...page, headers: { ...page.headers, 'idempotency-key': newId() } },
    );
    expect((await service.post('/v1/auth/team', { team_id: team.body.id }, page)).status).toBe(200);
    const there = await service.post('/v1/workflows', body, page);
    expect(there.status).toBe(201);
    expect(there.body.id).not.toBe(here.body.id);
  });
});

describe("the caller's address", () => {
  let key: string;
  let bare: AccessWorld;

  beforeAll(async () => {
    bare = await AccessWorld.start({});
    const { admin } = bare.service;
    const person = { id: admin.userId, teamId: admin.teamId, role: 'owner' } as const;
    key = (await newKeyOf(bare.service, person, { allowedIps: ['203.0.113.7'] })).secret;
  });
  afterAll(() => bare.stop());

  it.each([
    'X-Forwarded-For: 203.0.113.7',
    'X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-For: 203.0.113.7',
    'Forwarded: for=203.0.113.7',
    'X-Real-IP: 203.0.113.7',
    'X-Client-IP: 203.0.113.7',
    'CF-Connecting-IP: 203.0.113.7',
    'True-Client-IP: 203.0.113.7',
    'X-Original-Forwarded-For: 203.0.113.7',
  ])('without a trusted proxy, the service ignores the client address in the header %j', async (header) => {
    const { status } = await sendRaw(
      Number(new URL(bare.service.baseUrl).port),
      `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n${header}\r\n\r\n`,
    );
    expect(status).toBe(403);
  });

  it.each([
    ['an address that the client wrote before the proxy', 'X-Forwarded-For: 203.0.113.7, 198.51.100.1', 403],
    [
      'an address that the client wrote in a separate header',
      'X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-For: 198.51.100.1',
      403,
    ],
    ['an unreadable address', 'X-Forwarded-For: 203.0.113.7, unknown', 403],
    ['an address with a port', 'X-Forwarded-For: 203.0.113.7:80, 203.0.113.7:99999999', 403],
    ['an address that the proxy wrote', 'X-Forwarded-For: 198.51.100.1, 203.0.113.7', 200],
    ['an IPv6 address that the proxy wrote', 'X-Forwarded-For: ::ffff:203.0.113.7', 200],
  ])(
    'the service accepts a client address in X-Forwarded-For only if the trusted proxy wrote the address: %s',
    async (_, header, status) => {
      const { admin } = service;
      const person = { id: admin.userId, teamId: admin.teamId, role: 'owner' } as const;
      const { secret } = await newKeyOf(service, person, { allowedIps: ['203.0.113.7'] });
      const answer = await sendRaw(
        Number(new URL(service.baseUrl).port),
        `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${secret}\r\n${header}\r\n\r\n`,
      );
      expect(answer.status).toBe(status);
    },
  );
});

describe('a bearer credential', () => {
  const raw = (line: string, path = '/v1/users/me', body = '') =>
    sendRaw(
      Number(new URL(service.baseUrl).port),
      `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line === '' ? '' : `${line}\r\n`}${
        body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      }\r\n${body}`,
    );

  it.each<readonly [string, (key: string) => string]>([
    ['a key without a scheme', (key) => key],
    ['the scheme Bearer twice', (key) => `Bearer Bearer ${key}`],
    ['two keys', (key) => `Bearer ${key}, Bearer ${key}`],
    ['a word after the key', (key) => `Bearer ${key} x`],
    ['a key in quotes', (key) => `Bearer "${key}"`],
    ['an unknown scheme', (key) => `Token ${key}`],
    ['a key as a password', (key) => `Basic ${btoa(`x:${key}`)}`],
    ['a key without its last character', (key) => `Bearer ${key.slice(0, -1)}`],
    ['a key with an additional character', (key) => `Bearer ${key}0`],
    ['a key in upper case', (key) => `Bearer ${key.toUpperCase()}`],
    ['the key `__proto__`', () => 'Bearer __proto__'],
    ['a key of ten thousand letters', () => `Bearer ${'a'.repeat(10_000)}`],
    ['an invalid key before a second, valid header', (key) => `Bearer x\r\nAuthorization: Bearer ${key}`],
  ])('the service rejects an invalid Authorization header with %s', async (_, value) => {
    expect((await raw(`Authorization: ${value(service.key)}`)).status).toBe(401);
  });

  it('the service accepts an API key only in the Authorization header', async () => {
    const { key } = service;
    const answers = [
      await raw('', `/v1/users/me?access_token=${key}`),
      await raw('', `/v1/users/me?key=${key}&token=${key}&api_key=${key}`),
      await raw(`X-API-Key: ${key}`),
      await raw(`Proxy-Authorization: Bearer ${key}`),
      await raw(`Cookie: workflow_sign_in=${key}; access_token=${key}`),
      await raw('', '/v1/workflows', JSON.stringify({ name: 'x', access_token: key })),
      await raw('X-HTTP-Method-Override: GET', '/v1/workflows', '{}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401]);
    // The service rejects this request because of the key in the query, although the header is valid.
    expect((await raw(`Authorization: Bearer ${key}`, `/v1/users/me?access_token=${key}`)).status).toBe(400);
  });

  it('no alternative spelling of a protected path bypasses authentication', async () => {
    for (const path of [
      '/V1/WORKFLOWS',
      '/v1/workflows/',
      '//v1/workflows',
      '/v1//workflows',
      '/v1/%77orkflows',
      '/v1/workflows%2f',
      '/health/../v1/workflows',
      '/health/live/..%2f..%2fv1/workflows',
      '/openapi.json/../v1/workflows',
      '/swagger/%2e%2e/v1/workflows',
      '/v1/workflows;x',
      '/v1/workflows%00',
      '/v1/workflows#/health/live',
      '/v0/workflows.json',
    ]) {
      const { status, body } = await raw('', path);
      expect([path, status === 401 || status === 400, body.includes('"data"')]).toEqual([path, true, false]);
    }
  });

  it('a write request with the cookie of the dashboard requires the CSRF token and the origin of the dashboard', async () => {
    const { cookie, token } = await world.signedIn();
    const origin = service.baseUrl;
    const change = (headers: Readonly<Record<string, string>>) =>
      service.post('/v1/workflows', { name: 'x' }, { key: null, headers: { cookie, ...headers } });
    const other = await world.signedIn();
    expect(
      await answersTo({
        'no token': () => change({ origin }),
        'the token of another sign-in': () => change({ origin, 'x-csrf-token': other.token }),
        'an empty token': () => change({ origin, 'x-csrf-token': '' }),
        'no origin': () => change({ 'x-csrf-token': token }),
        'another origin': () => change({ origin: 'https://evil.example', 'x-csrf-token': token }),
        'a null origin': () => change({ origin: 'null', 'x-csrf-token': token }),
        'an origin that begins alike': () =>
          change({ origin: `${origin}.evil.example`, 'x-csrf-token': token }),
        'a bad key beside it': () => change({ origin, 'x-csrf-token': token, authorization: 'Bearer x' }),
        'all of it': () => change({ origin, 'x-csrf-token': token }),
      }),
    ).toEqual({
      'no token': '403 invalid_csrf_token',
      'the token of another sign-in': '403 invalid_csrf_token',
      'an empty token': '403 invalid_csrf_token',
      'no origin': '401 cross_origin',
      'another origin': '401 cross_origin',
      'a null origin': '401 cross_origin',
      'an origin that begins alike': '401 cross_origin',
      'a bad key beside it': '401 invalid_key',
      'all of it': '201',
    });
  });
});

describe('request bodies', () => {
  it('a request body with the keys __proto__ and constructor does not change object prototypes', async () => {
    const { belongings: b } = world;
    const send = async (method: string, path: string, text: string) => {
      const response = await fetch(service.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: text,
      });
      return response.status;
    };
    const poison = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    for (const [method, path, text] of [
      ['PATCH', `/v1/workflows/${b['workflows']}`, poison],
      ['PATCH', `/v1/workflows/${b['workflows']}`, `{"config":${poison}}`],
      ['PATCH', `/v1/sessions/${b['sessions']}`, poison],
      ['PATCH', `/v1/sessions/${b['sessions']}`, `{"metadata":${poison},"state":${poison}}`],
      ['PATCH', `/v1/keys/${b['keys']}`, poison],
      ['PATCH', `/v1/projects/${b['projects']}`, poison],
      ['PATCH', '/v1/users/me', `{"api_key_restrictions":${poison}}`],
      ['POST', `/v1/workflows/${b['workflows']}/executions`, `{"input":${poison},"metadata":${poison}}`],
    ] as const)
      expect([path, await send(method, path, text)]).toEqual([path, expect.toBeOneOf([200, 201, 400])]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const { body } = await service.get<JsonObject>(`/v1/workflows/${b['workflows']}`);
    expect(body['polluted']).toBeUndefined();
  });

  it('the service rejects a request body that sets an id, team, owner, role or other protected field', async () => {
    const { belongings: b } = world;
    const bodies: Readonly<Record<string, readonly [string, object]>> = {
      '/v1/workflows': ['POST', { name: 'x' }],
      [`/v1/workflows/${b['workflows']}`]: ['PATCH', {}],
      [`/v1/workflows/${b['workflows']}/executions`]: ['POST', {}],
      '/v1/sessions': ['POST', {}],
      [`/v1/sessions/${b['sessions']}`]: ['PATCH', {}],
      '/v1/keys': ['POST', { name: 'x' }],
      [`/v1/keys/${b['keys']}`]: ['PATCH', {}],
      '/v1/teams': ['POST', { name: 'x' }],
      [`/v1/teams/${b['teams']}`]: ['PATCH', { name: 'x' }],
      '/v1/projects': ['POST', { name: 'x' }],
      [`/v1/projects/${b['projects']}`]: ['PATCH', {}],
      '/v1/users/me': ['PATCH', {}],
    };
    const fields = {
      id: newId(),
      team_id: b['teams'],
      user_id: b['users'],
      teamId: b['teams'],
      userId: b['users'],
      role: 'owner',
      rate_limit_plan: 'enterprise',
      hash: 'x',
      origin: 'exchanged',
      replaced_by: newId(),
      created_at: '2026-01-01T00:00:00.000Z',
      deleted_at: 'never',
      disabled_at: 'never',
      email: 'a@example.com',
      last_used_at: 'never',
      created_by: b['users'],
      trigger: { type: 'api' },
    };
    const before = await world.digest();
    for (const [path, [method, body]] of Object.entries(bodies))
      for (const [field, value] of Object.entries(fields)) {
        const { status, error } = await service.request(method, path, { body: { ...body, [field]: value } });
        expect([path, field, status, error?.details?.['field']]).toEqual([path, field, 400, field]);
      }
    expect(await world.digest()).toBe(before);
  });
});

describe('an open event stream', () => {
  const bearerOf = (key: string) => ({ authorization: `Bearer ${key}` });

  it.each<readonly [string, (person: { id: string; keyId: string }) => Promise<unknown>]>([
    ['is deleted', ({ keyId }) => service.delete(`/v1/keys/${keyId}`)],
    ['loses its scope', ({ keyId }) => service.patch(`/v1/keys/${keyId}`, { scopes: ['workflows:read'] })],
    [
      'is bound to a project',
      async ({ keyId }) =>
        service.patch(`/v1/keys/${keyId}`, { project_id: (await service.newProject()).id }),
    ],
    [
      'is restricted to other addresses',
      ({ keyId }) => service.patch(`/v1/keys/${keyId}`, { allowed_ips: ['192.0.2.1'] }),
    ],
    [
      'has an owner who left the team',
      ({ id }) => service.delete(`/v1/teams/${service.admin.teamId}/members/${id}`),
    ],
  ])(
    'the service closes sockets and event streams after their API key lost access to the events: the key %s',
    async (_, act) => {
      const person = await newPerson(service, 'member');
      const client = await SocketClient.authenticated(new URL(service.baseUrl).host, person.key);
      const events = await stream('/v1/events', bearerOf(person.key));
      await act(person);
      expect((await client.ending()).close).toBeOneOf([4401, 4403]);
      await events.text();
    },
  );

  it('a socket receives no events of executions of a deleted project except `workflow.cancelled`', async () => {
    const project = await service.newProject();
    const workflow = await service.post('/v1/workflows', {
      name: 'Slow',
      project_id: project.id,
      nodes: [{ id: 'wait', type: 'delay', with: { seconds: 2 } }],
    });
    const client = await SocketClient.authenticated(new URL(service.baseUrl).host, service.key);
    const started = await service.post(`/v1/workflows/${workflow.body.id}/executions`, {});
    await client.until(() => client.events.find(({ type }) => type === 'workflow.started'));
    expect((await service.delete(`/v1/projects/${project.id}?cancel=true`)).status).toBe(204);
    const seen = client.events.length;
    await sleep(3_500);
    const later = client.events.slice(seen).filter((event) => event['execution_id'] === started.body.id);
    expect(later.map(({ type }) => type).filter((type) => type !== 'workflow.cancelled')).toEqual([]);
  });
});
