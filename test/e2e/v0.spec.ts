import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { TestService } from '../support/service.js';

const UNKNOWN_ID = '0199a8c0-0000-7000-8000-000000000000';

let service: TestService;
let paths: readonly string[];

beforeAll(async () => {
  service = await TestService.start();
  const made = [
    await service.post('/v1/workflows', {
      name: 'first',
      nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
    }),
    await service.post('/v1/sessions', { name: 'first' }),
  ];
  await service.post('/v1/workflows', { name: 'second' });
  await service.post('/v1/sessions', { name: 'second' });
  const [workflow, session] = made.map(({ body }) => body.id);
  const execution = await service.post(`/v1/workflows/${workflow}/executions?wait=10`, {
    session_id: session,
  });
  paths = [
    '/workflows',
    '/workflows?limit=1&order=asc',
    `/workflows/${workflow}`,
    '/sessions',
    '/sessions?status=active&offset=1',
    `/sessions/${session}`,
    `/workflows/${workflow}/versions/1`,
    '/executions',
    `/executions/${execution.body.id}/nodes`,
    `/executions/${execution.body.id}/events?after=1`,
    '/projects',
    '/users/me',
    '/node-types',
  ];
});
afterAll(() => service?.stop());

function deprecation(headers: Headers): Record<string, string | null> {
  return Object.fromEntries(['deprecation', 'sunset', 'link'].map((name) => [name, headers.get(name)]));
}

it('GET requests under /v0 return the same responses as under /v1', async () => {
  for (const path of paths) {
    const [now, then] = [await service.get(`/v1${path}`), await service.get(`/v0${path}`)];
    expect(then.status).toBe(200);
    expect(then.body).toEqual(now.body);
    expect(then.headers.get('etag')).toBe(now.headers.get('etag'));
    expect(then.headers.get('x-ratelimit-limit')).toBe(now.headers.get('x-ratelimit-limit'));
  }
});

it('responses under /v0 have the headers Deprecation and Sunset, and a Link header to /v1', async () => {
  for (const path of paths) {
    const { deprecation: since, sunset, link } = deprecation((await service.get(`/v0${path}`)).headers);
    expect(since).toMatch(/^@\d{10}$/);
    expect(new Date(sunset ?? '').toUTCString()).toBe(sunset);
    expect(Date.parse(sunset ?? '')).toBeGreaterThan(Number(since?.slice(1)) * 1_000);
    expect(link).toBe(`</v1${path.split('?')[0]}>; rel="successor-version"`);
  }
});

it('errors under /v0 equal the errors under /v1 and have the deprecation headers', async () => {
  const stranger = await service.newStranger();
  const withoutScope = { key: await service.newKey({ scopes: ['executions:read'] }) };
  const [, , workflow] = paths;
  const requests = [
    { path: '/sessions', request: { key: null }, status: 401 },
    { path: '/workflows', request: withoutScope, status: 403 },
    { path: '/sessions', request: withoutScope, status: 403 },
    { path: workflow, request: { key: stranger.key }, status: 403 },
    { path: `/sessions/${UNKNOWN_ID}`, request: {}, status: 404 },
    { path: '/workflows/not-an-id', request: {}, status: 400 },
    { path: '/workflows?limit=0', request: {}, status: 400 },
    { path: '/sessions?color=red', request: {}, status: 400 },
  ];
  for (const { path, request, status } of requests) {
    const [now, then] = [await service.get(`/v1${path}`, request), await service.get(`/v0${path}`, request)];
    expect([then.status, then.error.code, then.error.details]).toEqual([
      status,
      now.error.code,
      now.error.details,
    ]);
    expect(Object.values(deprecation(then.headers))).not.toContain(null);
  }
});

it('requests under /v0 cannot write data, and responses under /v1 have no deprecation headers', async () => {
  const refused = await service.post('/v0/workflows', { name: 'third' });
  expect([refused.status, refused.error.type, refused.headers.get('allow')]).toEqual([
    405,
    'method_not_allowed_error',
    'GET, HEAD, OPTIONS',
  ]);
  expect((await service.post('/v0/auth/token', { jwt: 'x' })).status).toBe(404);
  expect((await service.get('/v0/nothing')).status).toBe(404);
  expect((await service.get('/v0')).status).toBe(404);
  expect((await service.get('/v2/workflows')).status).toBe(404);
  expect(Object.values(deprecation((await service.get('/v1/workflows')).headers))).toEqual([
    null,
    null,
    null,
  ]);
});

it('the OpenAPI document marks the routes under /v0 as deprecated, and no other routes', async () => {
  const { body } = await service.get<{ paths: Record<string, Record<string, JsonObject>> }>('/openapi.json');
  const deprecated = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.values(item).some((operation) => operation['deprecated'] === true) ? [path] : [],
  );
  const reads = Object.entries(body.paths).flatMap(([path, item]) =>
    path.startsWith('/v1/') && 'get' in item ? [path.replace('/v1/', '/v0/')] : [],
  );
  expect(reads.length).toBeGreaterThan(30);
  expect(deprecated.sort()).toEqual(reads.sort());
  for (const path of deprecated) expect(Object.keys(body.paths[path] ?? {})).toEqual(['get']);
  const ids = Object.values(body.paths).flatMap((item) =>
    Object.values(item).map((operation) => operation['operationId']),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(body.paths['/v0/workflows']?.['get']).toMatchObject({
    operationId: 'listV0Workflows',
    responses: { 401: { $ref: '#/components/responses/V0Error401' } },
  });
});
