import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../clients/typescript/src/event-stream.ts';
import { onExecutionEvents, watchExecution } from '../../clients/typescript/src/watch-execution.ts';
import { AppModule } from '../../src/app.module.js';
import { createApplication } from '../../src/application.js';
import { ViewTokens } from '../../src/auth/index.js';
import { routeTable } from '../../src/cli/route-table.js';
import { newId } from '../../src/platform/index.js';
import { readSettings } from '../../src/settings/index.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { newKeyOf, newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';
import { SocketClient } from '../support/socket-client.js';
import { until } from '../support/until.js';

Logger.overrideLogger(false);
const ROUTES = await routeTable(AppModule.forRoot(readSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })));

const PAGE = 'https://shop.example';
/** Routes that accept a view token. `{id}` must be the execution or session of the token. */
const VIEWABLE = [
  'GET /v1/executions/{id}',
  'GET /v1/executions/{id}/nodes',
  'GET /v1/executions/{id}/events',
  'GET /v1/executions/{id}/events/{sequence}/{field}',
  'GET /v1/sessions/{id}/events',
];

interface Issued {
  readonly token: string;
  readonly expires_at: string;
}

let service: TestService;
let workflowId: string;
let sessionId: string;
/** Execution ids: `inSession` belongs to the session, and `other` does not. */
let inSession: string;
let other: string;

async function start(body: object): Promise<string> {
  const { body: execution } = await service.post(`/v1/workflows/${workflowId}/executions?wait=10`, body);
  return execution.id;
}

async function issue(subject: object, key = service.key): Promise<string> {
  const { status, body } = await service.post<Issued>('/v1/auth/view-tokens', subject, { key });
  expect(status).toBe(201);
  return body.token;
}

async function answerOf(path: string, token: string): Promise<string> {
  const { status, error } = await service.get(path, { key: token });
  return status === 200 ? '200' : `${status} ${error.code}`;
}

/** Waits until the service rejects the view token with 401. */
async function isRefusedSoon(token: string): Promise<void> {
  await until(
    'the rejection of the view token',
    async () => (await answerOf(`/v1/executions/${other}`, token)) === '401 invalid_view_token',
  );
}

beforeAll(async () => {
  service = await TestService.start({ environment: { CORS_ORIGINS: `${PAGE},http://localhost:5173` } });
  const { body: workflow } = await service.post('/v1/workflows', {
    name: 'Greeting',
    nodes: [{ id: 'greet', type: 'set', with: { value: 'Hello {{ input.name }}' } }],
  });
  workflowId = workflow.id;
  sessionId = (await service.post('/v1/sessions', {})).body.id;
  inSession = await start({ input: { name: 'Ada' }, session_id: sessionId });
  other = await start({ input: { name: 'Bob' } });
});
afterAll(async () => {
  SocketClient.cutAll();
  await service.stop();
});

describe('POST /v1/auth/view-tokens', () => {
  it('POST /v1/auth/view-tokens returns 201 with a view token and its expiry', async () => {
    const before = Date.now();
    const { status, headers, body } = await service.post<Issued>('/v1/auth/view-tokens', {
      execution_id: other,
      expires_in_seconds: 60,
    });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.token).toMatch(/^wfv_[\w-]+\.[\w-]{43}$/);
    expect(Date.parse(body.expires_at)).toBeGreaterThanOrEqual(before + 60_000);
    expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it.each([
    ['neither an execution nor a session', {}],
    ['both an execution and a session', { execution_id: newId(), session_id: newId() }],
    ['a lifetime under a minute', { execution_id: newId(), expires_in_seconds: 59 }],
    ['a lifetime over a day', { execution_id: newId(), expires_in_seconds: 86_401 }],
  ])('the service rejects an invalid request for a view token: %s', async (_, body) => {
    const { status, error } = await service.post('/v1/auth/view-tokens', body);
    expect([status, error.type]).toEqual([400, 'validation_error']);
  });

  it('a caller cannot create a view token for an execution that the caller cannot read', async () => {
    const stranger = await service.newStranger();
    const unknown = await service.post('/v1/auth/view-tokens', { execution_id: newId() });
    const foreign = await service.post(
      '/v1/auth/view-tokens',
      { execution_id: other },
      { key: stranger.key },
    );
    const foreignSession = await service.post(
      '/v1/auth/view-tokens',
      { session_id: sessionId },
      { key: stranger.key },
    );
    expect([unknown.status, foreign.status, foreignSession.status]).toEqual([404, 403, 403]);
  });

  it('a key without the scope events:read cannot create a view token', async () => {
    const key = await service.newKey({ scopes: ['executions:read', 'executions:write'] });
    const { status, error } = await service.post('/v1/auth/view-tokens', { execution_id: other }, { key });
    expect([status, error.code]).toEqual([403, 'missing_scope']);
  });
});

describe('a view token', () => {
  it('a view token of an execution can read only the execution with its nodes and events', async () => {
    const token = await issue({ execution_id: other });
    for (const path of ['', '/nodes', '/events', '/events/1/input'])
      expect(await answerOf(`/v1/executions/${other}${path}`, token)).toBe('200');
    for (const path of ['', '/nodes', '/events', '/events/1/input'])
      expect(await answerOf(`/v1/executions/${inSession}${path}`, token)).toBe('403 view_token_scope');
    expect(await answerOf(`/v1/executions/${newId()}`, token)).toBe('403 view_token_scope');
    expect(await answerOf(`/v1/sessions/${sessionId}/events`, token)).toBe('403 view_token_scope');
  });

  it('a view token of a session can read only the executions and events of the session', async () => {
    const token = await issue({ session_id: sessionId });
    for (const path of ['', '/nodes', '/events', '/events/1/input'])
      expect(await answerOf(`/v1/executions/${inSession}${path}`, token)).toBe('200');
    expect(await answerOf(`/v1/sessions/${sessionId}/events`, token)).toBe('200');
    for (const path of ['', '/nodes', '/events', '/events/1/input'])
      expect(await answerOf(`/v1/executions/${other}${path}`, token)).toBe('403 view_token_scope');
  });

  it('a view token is rejected on every route that does not read its execution', async () => {
    const token = await issue({ execution_id: other });
    const routes = ROUTES.filter(
      ({ method, path, access }) => access.kind !== 'public' && !VIEWABLE.includes(`${method} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(70);
    const faults: string[] = [];
    for (const { method, path } of routes) {
      const target = path
        .replaceAll('{sequence}', '1')
        .replaceAll('{version}', '1')
        .replaceAll('{*path}', 'x')
        .replaceAll(/\{\w+\}/g, other);
      const { status, error } = await service.request(method === 'ALL' ? 'GET' : method, target, {
        key: token,
        ...(method === 'GET' || method === 'ALL' ? {} : { body: {} }),
      });
      if (status !== 403 || error.code !== 'view_token_scope') faults.push(`${method} ${path}: ${status}`);
    }
    expect(faults).toEqual([]);
  });

  it('the service rejects a view token for HEAD on every route that rejects the token for GET', async () => {
    const token = await issue({ execution_id: other });
    const faults: string[] = [];
    for (const { method, path, access } of ROUTES) {
      if (method !== 'GET' || access.kind === 'public' || VIEWABLE.includes(`GET ${path}`)) continue;
      const target = path.replaceAll(/\{(sequence|version)\}/g, '1').replaceAll(/\{\w+\}/g, other);
      const { status } = await service.request('HEAD', target, { key: token });
      if (status !== 403) faults.push(`${path}: ${status}`);
    }
    expect(faults).toEqual([]);
  });

  it('a view token cannot read another execution through a modified path or query', async () => {
    const token = await issue({ execution_id: other });
    const headers = { 'x-http-method-override': 'DELETE' };
    expect((await service.get(`/v1/executions/${other}`, { key: token, headers })).status).toBe(200);
    for (const path of [
      `/v1/executions/${inSession.toUpperCase()}`,
      `/v1/executions/${other}/../${inSession}`,
      `/v1/executions/${other}%2F..%2F${inSession}`,
      `//v1/executions/${inSession}`,
      `/V1/Executions/${inSession}`,
      `/v1/executions/${inSession}?id=${other}`,
      `/v1/executions/${inSession}/events?execution_id=${other}`,
      `/v1/executions/${inSession}/?view_token=${token}`,
      `/v0/executions/${inSession}`,
    ]) {
      const { status } = await service.get(path, { key: token });
      expect([path, status < 200 || status > 399]).toEqual([path, true]);
    }
  });

  it('the service rejects an expired, altered or truncated view token', async () => {
    const view = { kind: 'execution', id: other } as const;
    const tokens = service.app.get(ViewTokens, { strict: false });
    const expired = await tokens.issue(service.admin, { ...view, expiresAt: Date.now() });
    const valid = await tokens.issue(service.admin, { ...view, expiresAt: Date.now() + 60_000 });
    const path = `/v1/executions/${other}`;
    expect(await answerOf(path, expired)).toBe('401 expired_view_token');
    const [claims = '', signature = ''] = valid.split('.');
    const forged = `wfv_${Buffer.from(
      Buffer.from(claims.slice(4), 'base64url').toString().replace(other, inSession),
    ).toString('base64url')}.${signature}`;
    for (const bad of [forged, claims, `${claims}.`, `${claims}.x`, `${valid}.${signature}`, 'wfv_', 'wfv_.'])
      expect(await answerOf(path, bad)).toBe('401 invalid_view_token');
  });

  it('a view token becomes invalid when the API key that created the token is deleted', async () => {
    const owner = { id: service.admin.userId, teamId: service.admin.teamId, role: 'owner' } as const;
    const key = await newKeyOf(service, owner);
    const token = await issue({ execution_id: other }, key.secret);
    expect(await answerOf(`/v1/executions/${other}`, token)).toBe('200');
    await service.delete(`/v1/keys/${key.id}`);
    await isRefusedSoon(token);
  });

  it('a view token becomes invalid when the user who created the token leaves the team', async () => {
    const person = await newPerson(service, 'member');
    const token = await issue({ execution_id: other }, person.key);
    expect(await answerOf(`/v1/executions/${other}`, token)).toBe('200');
    await service.delete(`/v1/teams/${person.teamId}/members/${person.id}`);
    await isRefusedSoon(token);
  });

  it('a view token works from every IP address, even if its API key allows only some addresses', async () => {
    const owner = { id: service.admin.userId, teamId: service.admin.teamId, role: 'owner' } as const;
    const key = await newKeyOf(service, owner, { allowedIps: ['192.0.2.0/24'] });
    const tokens = service.app.get(ViewTokens, { strict: false });
    const token = await tokens.issue(
      { ...service.admin, keyId: key.id },
      { kind: 'execution', id: other, expiresAt: Date.now() + 60_000 },
    );
    expect(await answerOf(`/v1/executions/${other}`, token)).toBe('200');
  });
});

describe('an event stream with a view token', () => {
  function stream(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(service.baseUrl + path, { headers: { accept: 'text/event-stream', ...headers } });
  }

  it('an event stream accepts a view token in the query parameter `view_token`', async () => {
    const token = await issue({ session_id: sessionId });
    const response = await stream(`/v1/executions/${inSession}/events?view_token=${token}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('event: workflow.completed');
    const foreign = await stream(`/v1/executions/${other}/events?view_token=${token}`);
    expect(foreign.status).toBe(403);
  });

  it('the service rejects a view token in the query of a request that is not an event stream', async () => {
    const token = await issue({ execution_id: other });
    const key = null;
    for (const path of [`/v1/executions/${other}`, `/v1/executions/${other}/events`, '/v1/events']) {
      const { status, error } = await service.get(`${path}?view_token=${token}`, { key });
      expect([path, status, error.code]).toEqual([path, 401, 'view_token_in_query']);
    }
    const withKey = await stream(`/v1/executions/${other}/events?view_token=${service.key}`);
    expect(withKey.status).toBe(401);
  });
});

describe('a socket with a view token', () => {
  const host = (): string => new URL(service.baseUrl).host;

  it('a WebSocket with the view token of a session receives only events of that session', async () => {
    const client = await SocketClient.authenticated(host(), await issue({ session_id: sessionId }));
    await start({ input: { name: 'Eve' } });
    const mine = await start({ input: { name: 'Dan' }, session_id: sessionId });
    await client.until(() => client.events.some(({ type }) => type === 'workflow.completed'));
    expect(new Set(client.events.map((event) => event['execution_id']))).toEqual(new Set([mine]));
  });

  it('a WebSocket with a view token cannot subscribe to events of another execution', async () => {
    const client = await SocketClient.authenticated(host(), await issue({ execution_id: other }));
    client.send({ type: 'subscribe', id: 'a', filter: { execution_id: inSession }, after: '0' });
    expect(await client.next('error')).toMatchObject({ error: { code: 'out_of_reach' } });
    client.send({ type: 'subscribe', id: 'b', filter: { workflow_id: workflowId }, after: '0' });
    await client.next('replay.complete');
    expect(new Set(client.events.map((event) => event['execution_id']))).toEqual(new Set([other]));
  });

  it('a WebSocket closes when its view token expires', async () => {
    const tokens = service.app.get(ViewTokens, { strict: false });
    const view = { kind: 'execution', id: other, expiresAt: Date.now() + 500 } as const;
    const client = await SocketClient.authenticated(host(), await tokens.issue(service.admin, view));
    expect(await client.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
  });

  it('a WebSocket closes when the API key that created its view token is deleted', async () => {
    const owner = { id: service.admin.userId, teamId: service.admin.teamId, role: 'owner' } as const;
    const key = await newKeyOf(service, owner);
    const client = await SocketClient.authenticated(host(), await issue({ execution_id: other }, key.secret));
    await service.delete(`/v1/keys/${key.id}`);
    expect(await client.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
  });

  it('a WebSocket closes when the dashboard user who created its view token leaves the team', async () => {
    const person = await newPerson(service, 'member');
    const tokens = service.app.get(ViewTokens, { strict: false });
    const maker = { ...service.admin, keyId: null, userId: person.id, teamId: person.teamId };
    const token = await tokens.issue(maker, { kind: 'execution', id: other, expiresAt: Date.now() + 60_000 });
    const client = await SocketClient.authenticated(host(), token);
    await service.delete(`/v1/teams/${person.teamId}/members/${person.id}`);
    expect(await client.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
  });
});

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

describe.runIf(postgres !== undefined)('a view token on two replicas', () => {
  let database: TestDatabase | undefined;
  let first: TestService | undefined;
  let second: NestExpressApplication | undefined;

  afterAll(async () => {
    SocketClient.cutAll();
    await second?.close();
    await first?.stop();
    await database?.drop();
  });

  it('a view token works in two processes, and becomes invalid in both processes when its API key is deleted', async () => {
    database = await postgres?.create();
    if (database === undefined) return;
    first = await TestService.start({ database: database.settings });
    const directory = await mkdtemp(join(tmpdir(), 'workflow-service-'));
    second = await createApplication(
      readSettings({
        DATA_DIR: directory,
        PORT: '0',
        LOG_LEVEL: 'silent',
        NODE_ENV: 'test',
        DATABASE_URL: databaseUrl(database.settings),
      }),
    );
    await second.listen(0, '127.0.0.1');
    const { port } = second.getHttpServer().address() as AddressInfo;
    const { body: workflow } = await first.post('/v1/workflows', { name: 'Empty', nodes: [] });
    const { body: execution } = await first.post(`/v1/workflows/${workflow.id}/executions?wait=10`, {});
    const owner = { id: first.admin.userId, teamId: first.admin.teamId, role: 'owner' } as const;
    const key = await newKeyOf(first, owner);
    const { body } = await first.post<Issued>(
      '/v1/auth/view-tokens',
      { execution_id: execution.id },
      { key: key.secret },
    );
    const onSecond = async (): Promise<number> =>
      (
        await fetch(`http://127.0.0.1:${port}/v1/executions/${execution.id}`, {
          headers: { authorization: `Bearer ${body.token}` },
        })
      ).status;
    expect(await onSecond()).toBe(200);
    const socket = await SocketClient.authenticated(`127.0.0.1:${port}`, body.token);
    await first.delete(`/v1/keys/${key.id}`);
    await until('the rejection of the view token', async () => (await onSecond()) === 401);
    expect(await socket.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
    await rm(directory, { recursive: true });
  });
});

describe('watchExecution of the client', () => {
  it('the client function watchExecution yields every event of an execution in order, then ends', async () => {
    const types: string[] = [];
    const token = await issue({ execution_id: other });
    for await (const event of watchExecution({ baseUrl: service.baseUrl, token })) types.push(event.type);
    expect(types).toEqual([
      'workflow.queued',
      'workflow.started',
      'workflow.node.started',
      'workflow.node.complete',
      'workflow.completed',
    ]);
  });

  it('the client function watchExecution with the cursor of an event yields only later events', async () => {
    const token = await issue({ execution_id: other });
    const options = { baseUrl: service.baseUrl, token };
    const cursors: string[] = [];
    for await (const { cursor } of watchExecution(options)) cursors.push(cursor);
    const rest: number[] = [];
    for await (const { sequence } of watchExecution({ ...options, after: cursors[2] ?? '' }))
      rest.push(sequence);
    expect(rest).toEqual([4, 5]);
  });

  it('the client function watchExecution ends without an error when its AbortSignal is aborted', async () => {
    const token = await issue({ execution_id: other });
    const stopped = new AbortController();
    const seen: number[] = [];
    for await (const event of watchExecution({ baseUrl: service.baseUrl, token, signal: stopped.signal })) {
      seen.push(event.sequence);
      if (event.type === 'workflow.node.started') stopped.abort();
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  /**
   * Starts an execution that waits for the signal `go`, and creates a view token for the execution. `revoke` deletes the
   * API key that created the token.
   */
  async function waiting(): Promise<{ id: string; token: string; revoke: () => Promise<unknown> }> {
    const { body: workflow } = await service.post('/v1/workflows', {
      name: 'Waits',
      nodes: [{ id: 'ask', type: 'wait', with: { signal: 'go' } }],
    });
    const { body: execution } = await service.post(`/v1/workflows/${workflow.id}/executions`, {});
    const owner = { id: service.admin.userId, teamId: service.admin.teamId, role: 'owner' } as const;
    const key = await newKeyOf(service, owner);
    return {
      id: execution.id,
      token: await issue({ execution_id: execution.id }, key.secret),
      revoke: () => service.delete(`/v1/keys/${key.id}`),
    };
  }

  it('the client function watchExecution replaces a revoked token and misses no event', async () => {
    const { id, token, revoke } = await waiting();
    const tokens = [token, await issue({ execution_id: id })];
    const connections: string[] = [];
    const onConnection = async ({ state }: ConnectionState): Promise<void> => {
      connections.push(state);
      if (connections.length === 1) await revoke();
      if (connections.length === 3) await service.post(`/v1/executions/${id}/signals/go`, {});
    };
    const sequences: number[] = [];
    for await (const { sequence } of watchExecution({
      baseUrl: service.baseUrl,
      token: () => tokens.shift() ?? '',
      backoff: { initialMs: 10, maxMs: 10 },
      onConnection: (state) => void onConnection(state),
    }))
      sequences.push(sequence);
    expect(connections).toEqual(['connected', 'disconnected', 'connected']);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(sequences.length).toBeGreaterThan(5);
  });

  it('the client function watchExecution throws StreamRefusedError when its only token is revoked', async () => {
    const { token, revoke } = await waiting();
    const onConnection = (): void => void revoke();
    const watch = async (): Promise<void> => {
      for await (const _ of watchExecution({ baseUrl: service.baseUrl, token, onConnection }));
    };
    await expect(watch()).rejects.toMatchObject({ name: 'StreamRefusedError', code: 'access_ended' });
  });

  it('the client function onExecutionEvents calls back for each event, for the end and for an error', async () => {
    const token = await issue({ execution_id: other });
    const watched = (given: string): Promise<string[]> =>
      new Promise((resolve) => {
        const received: string[] = [];
        onExecutionEvents(
          { baseUrl: service.baseUrl, token: given },
          {
            onEvent: ({ sequence }) => received.push(String(sequence)),
            onEnd: () => resolve([...received, 'end']),
            onError: (error) => resolve([...received, String(error)]),
          },
        );
      });
    expect(await watched(token)).toEqual(['1', '2', '3', '4', '5', 'end']);
    expect(await watched('wfv_x.y')).toEqual([expect.stringContaining('StreamRefusedError')]);
  });
});

describe('CORS_ORIGINS', () => {
  function preflight(path: string, origin: string): Promise<Response> {
    return fetch(service.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
  }

  it('a page of an origin in CORS_ORIGINS can call the API, but not with cookies', async () => {
    const allowed = await preflight('/v1/workflows', PAGE);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(allowed.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('idempotency-key');
    const token = await issue({ execution_id: other });
    const answer = await service.get(`/v1/executions/${other}`, { key: token, headers: { origin: PAGE } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    const refused = await service.get('/v1/workflows', { key: 'wfk_x', headers: { origin: PAGE } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE);
    for (const { headers } of [allowed, answer, refused])
      expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('the service sends no CORS headers to an unlisted origin or for a path outside /v1', async () => {
    for (const [path, origin] of [
      ['/v1/workflows', 'https://evil.example'],
      ['/v1/workflows', 'null'],
      ['/v1/workflows', `${PAGE}.evil.example`],
      ['/openapi.json', PAGE],
      ['/approvals/x', PAGE],
    ] as const) {
      const response = await preflight(path, origin);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('only pages of the service itself or of an origin in CORS_ORIGINS can open a WebSocket', async () => {
    const host = new URL(service.baseUrl).host;
    for (const origin of [PAGE, service.baseUrl]) {
      const client = await SocketClient.open(host, { origin });
      client.send({ type: 'auth', token: service.key });
      await client.next('auth.success');
    }
    for (const origin of ['https://evil.example', 'null', 'http://localhost:5174'])
      await expect(SocketClient.open(host, { origin })).rejects.toThrow('403');
  });

  it('the service does not start if CORS_ORIGINS contains a value that is not an origin', () => {
    for (const given of ['shop.example', 'https://shop.example/', 'https://shop.example/a', '*'])
      expect(() => readSettings({ CORS_ORIGINS: given })).toThrow(/CORS_ORIGINS.* must list origins/);
  });
});
